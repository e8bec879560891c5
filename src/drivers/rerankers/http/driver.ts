import { z } from 'zod';
import { type DriverContext, defineDriver } from '../../../contracts/driver.ts';
import type { Reranker } from '../../../contracts/reranker.ts';
import { QuarryError } from '../../../core/errors.ts';
import { checkedAddress, requireEncryption, shownAddress } from '../../../platform/http/address.ts';
import { connect } from '../../../platform/http/connection.ts';
import { findCredentials, requireKey, shownKey } from '../../../platform/http/credentials.ts';
import { modelName } from '../../../platform/http/model-name.ts';
import { canUseProxy, findProxy } from '../../../platform/http/proxy.ts';
import type { Service } from '../../../platform/http/refusal.ts';
import { type ProtocolName, protocols } from './protocols.ts';
import { createScorer } from './score-batches.ts';

/** Longest wait for one answer, where the user has set no other; a caller has stopped waiting long before. */
const defaultTimeoutSeconds = 60;

const options = z.strictObject({
  url: z.string().optional(),
  model: modelName.optional(),
});

/** A driver that asks servers of one protocol. */
export function rerankingServer(name: ProtocolName) {
  return defineDriver({
    name,
    summary: protocols[name].summary,
    options,
    requires: [],
    async open(settings, context): Promise<Reranker> {
      const { address, service } = await obtainService(name, settings, context);
      const proxy = findProxy(address, context.environment);
      const seconds = context.resources?.timeoutSeconds ?? defaultTimeoutSeconds;
      const connection = connect(address, seconds, 'reranker', proxy);
      const scoreBatches = createScorer({
        protocol: protocols[name],
        service,
        connection,
        key: () => requireKey(service.credentials, service.host),
      });
      return {
        facts: {
          ...(service.model && { model: service.model }),
          address: shownAddress(address),
          key: shownKey(service.credentials),
          ...(proxy && { proxy: canUseProxy() ? proxy.variable : 'not used by this Node.js' }),
        },
        weight: 0.8,
        async *score(query, chunks, bounds) {
          // Consent that is withdrawn holds at once.
          if (chunks.length > 0) await context.requireConsent(new URL(address));
          yield* scoreBatches(query, chunks, bounds);
        },
        close: async () => connection.close(),
      };
    },
  });
}

/** Checks the address, asks for consent and finds the key; nothing is sent. */
async function obtainService(
  name: ProtocolName,
  { url, model }: z.output<typeof options>,
  context: DriverContext,
): Promise<{ address: URL; service: Service }> {
  const { provider } = protocols[name];
  const written = url ?? provider?.url;
  if (written === undefined) throw missing('url', `servers of ${name} have no address of their own`);
  const address = checkedAddress(written, 'reranker');
  if (provider) requireEncryption(address, provider.origin, 'reranker');
  const isProvider = address.origin === provider?.origin;
  const asked = model ?? (isProvider ? provider.model : undefined);
  // A server of this protocol serves one model, and its name is not sent.
  if (asked === undefined && name !== 'tei') throw missing('model', `${address.host} needs one`);
  await context.requireConsent(new URL(address));
  const credentials = findCredentials(address, context.environment, 'reranker', provider);
  return {
    address,
    service: { host: address.host, model: asked ?? '', credentials, table: 'reranker' },
  };
}

function missing(key: string, why: string): QuarryError {
  return new QuarryError('config-invalid', `reranker.${key} is not set, and ${why}.`, `Set reranker.${key}.`);
}
