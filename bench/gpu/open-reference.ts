import type { DriverContext } from '../../src/contracts/driver.ts';
import type { Embedder } from '../../src/contracts/embedder.ts';
import openai from '../../src/drivers/embedders/openai.ts';
import tokens from '../../src/drivers/embedders/tokens/driver.ts';

/** What decides how the reference server is called. */
export interface DriverSettings {
  readonly url: string;
  readonly send: string;
  readonly binary: boolean;
  readonly concurrency?: number;
  readonly threads?: number;
}

const context: DriverContext = {
  stateFolder: '.',
  cacheFolder: '.',
  environment: () => undefined,
  ownKey: async () => new Uint8Array(),
  requireConsent: async () => {},
};

/** The driver of Quarry for texts or for tokens, aimed at the reference server. */
export function openReference({ url, send, binary, threads, ...rest }: DriverSettings): Promise<Embedder> {
  const settings = { ...rest, url: `${url}/v1`, model: 'reference-minilm' };
  return send === 'tokens'
    ? tokens.open(tokens.options.parse({ ...settings, binary, threads }), context)
    : openai.open(openai.options.parse(settings), context);
}
