import type { DriverContext } from '../../src/contracts/driver.ts';
import type { Embedder } from '../../src/contracts/embedder.ts';
import openai from '../../src/drivers/embedders/openai/driver.ts';

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
  requireConsent: async () => {},
};

/** The driver of Quarry for servers with OpenAI's endpoint, aimed at the reference server. */
export function openReference({ url, ...rest }: DriverSettings): Promise<Embedder> {
  const settings = openai.options.parse({ ...rest, url: `${url}/v1`, model: 'reference-minilm' });
  return openai.open(settings, context);
}
