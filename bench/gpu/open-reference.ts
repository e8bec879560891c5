import type { DriverContext } from '../../src/contracts/driver.ts';
import type { Embedder } from '../../src/contracts/embedder.ts';
import openai from '../../src/drivers/embedders/openai.ts';

/** What decides how the reference server is called. */
export interface DriverSettings {
  readonly url: string;
  readonly concurrency?: number;
}

const context: DriverContext = {
  stateFolder: '.',
  cacheFolder: '.',
  environment: () => undefined,
  ownKey: async () => new Uint8Array(),
  requireConsent: async () => {},
};

/** The driver of Quarry, aimed at the reference server. */
export function openReference({ url, ...rest }: DriverSettings): Promise<Embedder> {
  return openai.open(openai.options.parse({ ...rest, url: `${url}/v1`, model: 'reference-minilm' }), context);
}
