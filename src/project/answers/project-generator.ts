import type { DriverContext } from '../../contracts/driver.ts';
import type { Generator } from '../../contracts/generator.ts';
import { type Once, once } from '../../platform/once.ts';
import type { GeneratorSettings } from '../settings/generator-settings.ts';

/** The model that writes answers, opened when first asked for. */
export interface ProjectGenerator {
  /** Undefined where the settings name none, and none runs on this machine. */
  open(): Promise<Generator | undefined>;
  /** Forgets one that cannot be reached, so that the next call looks for a server again. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

/** Opens nothing yet. */
export function createGenerator(
  settings: GeneratorSettings,
  context: () => Promise<DriverContext>,
): ProjectGenerator {
  const { driver, max_tokens: _, temperature: __, rewrite_seconds: ___, ...given } = settings;
  const named: Once<Generator | undefined> = once(
    async () => {
      if (driver === 'none') return undefined;
      const { openGenerator } = await import('../open-driver.ts');
      if (driver !== 'auto') return openGenerator(driver, given, await context());
      const { findLocalServer } = await import('../../drivers/generators/find-local.ts');
      const server = await findLocalServer();
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
