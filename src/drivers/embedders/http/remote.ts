import type { DriverContext } from '../../../contracts/driver.ts';
import type { Embedder, EmbedderLimits, EmbeddingRole } from '../../../contracts/embedder.ts';
import { interrupted } from '../../../core/errors.ts';
import { sha256 } from '../../../core/identity.ts';
import { bundledTokenizer } from '../../../models/tokenizers/bundled.ts';
import type { TextTokenizer } from '../../../models/tokenizers/wordpiece.ts';
import { checkedAddress, requireEncryption, shownAddress } from '../../../platform/http/address.ts';
import { type Connection, connect } from '../../../platform/http/connection.ts';
import {
  type Credentials,
  findCredentials,
  type KeyedProvider,
  requireKey,
  shownKey,
} from '../../../platform/http/credentials.ts';
import { canUseProxy, findProxy, type ProxyAddress } from '../../../platform/http/proxy.ts';
import type { Service } from '../../../platform/http/refusal.ts';
import { createRowGuard, type RowGuard } from './rows.ts';
import { estimateTokens } from './text-windows.ts';

/** What every embedder at an address needs. */
export interface Remote {
  readonly service: Service;
  readonly address: URL;
  readonly connection: Connection;
  readonly proxy: ProxyAddress | undefined;
  readonly guard: RowGuard;
  readonly tokenizer: TextTokenizer;
  readonly prefixes: Readonly<Record<EmbeddingRole, string>>;
  /** Tokens of the longer prefix: they take room from the text. */
  readonly prefixTokens: number;
  /** The key to send, undefined where none is needed; fails when it is missing. */
  key(): string | undefined;
}

/** Longest wait for one answer, where the user has set no other. */
const defaultTimeoutSeconds = 60;

/** An address that may be called: checked, and agreed to by the user. Plain data, so that a thread can be given it. */
export interface Access {
  readonly url: string;
  readonly service: Service;
  readonly timeoutSeconds: number;
  readonly proxy: ProxyAddress | undefined;
  /** Length of the vectors that the settings ask for. */
  readonly dimensions: number | undefined;
  readonly prefixes: Readonly<Record<EmbeddingRole, string>>;
}

/** Checks the address, asks for consent and finds the key; nothing is sent. */
export async function obtainAccess(
  { url, model, settings }: { url: string; model: string; settings: SpaceSettings },
  context: DriverContext,
  provider?: KeyedProvider,
): Promise<Access> {
  const address = checkedAddress(url, 'embedder');
  if (provider) requireEncryption(address, provider.origin, 'embedder');
  await context.requireConsent(new URL(address));
  const credentials = ownKey(findCredentials(address, context.environment, 'embedder', provider), context);
  return {
    url: address.href,
    service: { host: address.host, model, credentials, table: 'embedder' },
    timeoutSeconds: context.resources?.timeoutSeconds ?? defaultTimeoutSeconds,
    proxy: findProxy(address, context.environment),
    dimensions: settings.dimensions,
    prefixes: prefixesOf(settings),
  };
}

/** Where an embedder has a variable of its own, its key comes from there, unless it is a provider's. */
function ownKey(found: Credentials, { environment, keyVariable }: DriverContext): Credentials {
  if (found.isRequired || keyVariable === undefined) return found;
  return { ...found, variable: keyVariable, value: environment(keyVariable)?.trim() || undefined };
}

/** Makes ready to call an address; nothing is sent. */
export async function openRemote(access: Access): Promise<Remote> {
  const { service, prefixes } = access;
  const address = new URL(access.url);
  const tokenizer = bundledTokenizer();
  // An empty prefix is not cut: the first cut builds what a process that leaves cutting to its threads never needs.
  const lengths = Object.values(prefixes).map((prefix) => (prefix ? tokenizer.encode(prefix).length : 0));
  return {
    service,
    address,
    connection: connect(address, access.timeoutSeconds, 'embedder', access.proxy),
    proxy: access.proxy,
    guard: createRowGuard(service.host, access.dimensions),
    tokenizer,
    prefixes,
    prefixTokens: Math.max(...lengths),
    key: () => requireKey(service.credentials, service.host),
  };
}

/** What differs between embedders at an address. */
export interface RemoteParts {
  readonly fingerprint: string;
  readonly facts?: Readonly<Record<string, string>>;
  /** Asked again at each reading: a service may state its limits only when it is called. */
  limits(): EmbedderLimits;
  maxTokens(): number;
  load(): Promise<void>;
  embed: Embedder['embed'];
  /** Ends what the parts have started themselves. */
  close?(): Promise<void>;
}

/** The embedder made of these parts. */
export function remoteEmbedder(
  { service, address, connection, guard, proxy }: Remote,
  parts: RemoteParts,
): Embedder {
  return {
    fingerprint: parts.fingerprint,
    get dimensions() {
      return guard.dimensions;
    },
    get maxTokens() {
      return parts.maxTokens();
    },
    get limits() {
      return parts.limits();
    },
    facts: {
      model: service.model,
      address: shownAddress(address),
      key: shownKey(service.credentials),
      ...(proxy && { proxy: canUseProxy() ? proxy.variable : 'not used by this Node.js' }),
      ...parts.facts,
    },
    countTokens: estimateTokens,
    load: () => parts.load(),
    async embed(texts, options) {
      if (options.signal?.aborted) throw interrupted(options.signal.reason);
      return texts.length === 0 ? [] : parts.embed(texts, options);
    },
    async close() {
      connection.close();
      await parts.close?.();
    },
  };
}

/** The settings that decide which space a vector lies in. */
export interface SpaceSettings {
  readonly space?: string | undefined;
  readonly dimensions?: number | undefined;
  readonly query_prefix?: string | undefined;
  readonly passage_prefix?: string | undefined;
  /** Longer texts are seen in windows of this size, which gives other vectors. */
  readonly max_tokens?: number | undefined;
}

/** The fingerprint of a model under these settings: `name`, `@256` when shortened, window, a hash of the prefixes. */
export function spaceName(name: string, settings: SpaceSettings): string {
  if (settings.space !== undefined) return settings.space;
  const { query, chunk } = prefixesOf(settings);
  const shortened = settings.dimensions === undefined ? '' : `@${settings.dimensions}`;
  const windowed = settings.max_tokens === undefined ? '' : `/${settings.max_tokens}`;
  const prefixed = query || chunk ? `+${sha256(JSON.stringify([query, chunk])).slice(0, 8)}` : '';
  return `${name}${shortened}${windowed}${prefixed}`;
}

/** A server by its host and path: one host may serve a model on each of several paths. The usual path is left out. */
export function placeOf({ host, pathname }: URL): string {
  const path = pathname.replace(/\/+$/, '');
  return path === '' || path === '/v1' ? host : `${host}${path}`;
}

/** What is put before a text in each role. */
export function prefixesOf(settings: SpaceSettings): Readonly<Record<EmbeddingRole, string>> {
  return {
    query: (settings.query_prefix ?? '').toWellFormed(),
    chunk: (settings.passage_prefix ?? '').toWellFormed(),
  };
}
