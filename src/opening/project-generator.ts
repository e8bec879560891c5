import type { DriverContext } from '../contracts/driver.ts';
import type { Generator } from '../contracts/generator.ts';
import { asQuarryError, QuarryError } from '../core/errors.ts';
import type { defaultPorts, LocalServer } from '../drivers/generators/find-local.ts';
import { type Once, once } from '../platform/once.ts';
import type { Settings } from '../settings/settings.ts';

/** The model that writes answers, opened when first asked for. */
export interface ProjectGenerator {
  /** Undefined where the settings name none, and none runs on this machine; one that may not be asked is `consent-missing`. */
  open(): Promise<Generator | undefined>;
  /** Forgets one that cannot be reached, so that the next call looks for a server again. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

/** Opens nothing yet. A server on this machine is looked for at its usual port, unless others are named. */
export function createGenerator(
  { generator: settings, context: { max_tokens: contextTokens } }: Pick<Settings, 'generator' | 'context'>,
  context: () => Promise<DriverContext>,
  ports?: typeof defaultPorts,
): ProjectGenerator {
  const { driver, max_tokens: answerTokens, ...described } = settings;
  const isLocal = driver === 'gguf';
  const given = { ...described, ...(isLocal && { window: windowFor(contextTokens, answerTokens) }) };
  const named: Once<Generator | undefined> = once(
    async () => {
      if (driver === 'none') return undefined;
      const { openGenerator } = await import('./open-driver.ts');
      if (driver !== 'auto') return openGenerator(driver, given, await context());
      const { findLocalServers } = await import('../drivers/generators/find-local.ts');
      const server = await firstAllowed(await findLocalServers(ports), await context());
      if (!server) return undefined;
      const { url, model } = server;
      return openGenerator('openai', { ...given, url, model: given.model ?? model }, await context());
    },
    async (generator) => generator?.close(),
  );
  return {
    async open() {
      const generator = await named();
      // A server may be started at any time: that there was none is not remembered.
      if (!generator) await named.close();
      return generator;
    },
    forget: () => named.close(),
    close: () => named.close(),
  };
}

/**
 * Tokens that a model must see at once: what is retrieved, which models count up to half as long again as we do, the answer,
 * and the instructions with the question.
 */
function windowFor(contextTokens: number, answerTokens: number): number {
  return Math.ceil(1.5 * contextTokens) + answerTokens + 512;
}

/** The first that may get text; fails where there are servers and none may, with what allows the first of them. */
async function firstAllowed(
  servers: readonly LocalServer[],
  { requireConsent }: DriverContext,
): Promise<LocalServer | undefined> {
  let refusal: QuarryError | undefined;
  for (const server of servers) {
    try {
      await requireConsent(new URL(server.url));
      return server;
    } catch (thrown) {
      const error = asQuarryError(thrown);
      if (error.code !== 'consent-missing' && error.code !== 'provider-unreachable') throw error;
      if (error.code === 'consent-missing') refusal ??= notAsked(server, error);
    }
  }
  if (refusal) throw refusal;
  return undefined;
}

function notAsked({ name, url }: LocalServer, cause: QuarryError): QuarryError {
  return new QuarryError(
    'consent-missing',
    `A server of models was found at ${new URL(url).origin} (the default address of ${name}) and not asked: its process is not known to be yours.`,
    cause.remedy,
    { cause },
  );
}
