import { z } from 'zod';
import { type Driver, type DriverContext, defineDriver } from '../../../contracts/driver.ts';
import type { Generator } from '../../../contracts/generator.ts';
import { QuarryError } from '../../../core/errors.ts';
import { beginningOf } from '../../../core/text/shortened.ts';
import { checkedAddress, requireEncryption, shownAddress } from '../../../platform/http/address.ts';
import { connect } from '../../../platform/http/connection.ts';
import { findCredentials, requireKey, shownKey } from '../../../platform/http/credentials.ts';
import { modelName } from '../../../platform/http/model-name.ts';
import { oneLine } from '../../../platform/http/one-line.ts';
import { canUseProxy, findProxy } from '../../../platform/http/proxy.ts';
import { refusalOf, type Service } from '../../../platform/http/refusal.ts';
import { serverSentEvents } from '../../../platform/http/stream.ts';
import type { ChatEvent, ChatProtocol } from './chat-protocol.ts';

const options = z.strictObject({
  url: z.string().optional(),
  model: modelName.optional(),
});

/** Seconds that a server may send nothing, where the user has set no others. */
const defaultTimeoutSeconds = 120;
/** The longest message about a failure that is read. */
const maxRefusalLength = 1024 * 1024;

/** A driver for services of one protocol. */
export function chatDriver(
  name: string,
  summary: string,
  protocol: ChatProtocol,
): Driver<Generator, typeof options> {
  return defineDriver({
    name,
    summary,
    options,
    requires: [],
    open: (settings, context) => openChat(settings, context, protocol),
  });
}

async function openChat(
  { url, model }: z.output<typeof options>,
  context: DriverContext,
  protocol: ChatProtocol,
): Promise<Generator> {
  const { provider } = protocol;
  const address = checkedAddress(url ?? provider.url, 'generator');
  requireEncryption(address, provider.origin, 'generator');
  for (const [key, value] of Object.entries(protocol.query ?? {})) address.searchParams.set(key, value);
  if (model === undefined)
    throw new QuarryError(
      'config-invalid',
      `generator.model is not set, and ${address.host} needs one.`,
      'Set generator.model to what the service calls its model.',
    );
  await context.requireConsent(new URL(address));
  const credentials = findCredentials(address, context.environment, 'generator', provider);
  const service: Service = { host: address.host, model, credentials, table: 'generator' };
  const proxy = findProxy(address, context.environment);
  const seconds = context.resources?.timeoutSeconds ?? defaultTimeoutSeconds;
  const connection = connect(address, seconds, 'generator', proxy);
  return {
    model,
    facts: {
      model,
      address: shownAddress(address),
      key: shownKey(credentials),
      ...(proxy && { proxy: canUseProxy() ? proxy.variable : 'not used by this Node.js' }),
    },
    async *generate(messages, bounds) {
      // Consent that is withdrawn holds at once.
      await context.requireConsent(new URL(address));
      const key = requireKey(credentials, address.host);
      const isProvider = address.origin === provider.origin;
      const answer = await connection.stream({
        method: 'POST',
        path: protocol.path(model),
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...protocol.headers(key),
        },
        body: JSON.stringify(protocol.body({ ...bounds, model, messages, isProvider })),
        maxBytes: maxRefusalLength,
        signal: bounds.signal,
      });
      if (Buffer.isBuffer(answer.body)) throw refusalOf({ ...answer, body: answer.body }, service).error;
      yield* textOf(serverSentEvents(answer.body), protocol.read, service);
    },
    close: async () => connection.close(),
  };
}

/** The pieces of the text; an answer that is cut off, refused or no such stream rejects. */
async function* textOf(
  events: AsyncIterable<{ event: string; data: string }>,
  read: ChatProtocol['read'],
  { host, credentials }: Service,
): AsyncGenerator<string> {
  let hasEnded = false;
  let seen = 0;
  for await (const event of events) {
    seen += 1;
    const { text, isEnd, failure } = understood(event, read, host);
    if (failure !== undefined) {
      const words = credentials.value ? failure.replaceAll(credentials.value, '(key)') : failure;
      throw failed(`${host} stopped: ${oneLine(words)}`, 'Ask again, or choose another model.');
    }
    if (text !== '') yield text;
    if (isEnd) hasEnded = true;
  }
  if (hasEnded) return;
  throw seen === 0
    ? failed(
        `The answer of ${host} is not a stream of events.`,
        'Check that generator.url and generator.driver fit the server.',
      )
    : failed(
        `The answer of ${host} was cut off.`,
        'Ask again; look at the log of the server if it is yours.',
      );
}

function understood(
  event: { event: string; data: string },
  read: ChatProtocol['read'],
  host: string,
): ChatEvent {
  try {
    return read(event);
  } catch (cause) {
    throw failed(
      `${host} sent an event that cannot be understood: ${oneLine(beginningOf(event.data, 200))}`,
      'Check that generator.url and generator.driver fit the server.',
      cause,
    );
  }
}

function failed(message: string, remedy: string, cause?: unknown): QuarryError {
  return new QuarryError('model-failed', message, remedy, { cause });
}
