import { tmpdir } from 'node:os';
import type { DriverContext } from '../contracts/driver.ts';

/** A context for opening a driver in a test: no variables, and consent to every address. */
export function driverContext(overrides: Partial<DriverContext> = {}): DriverContext {
  return {
    stateFolder: tmpdir(),
    cacheFolder: tmpdir(),
    environment: () => undefined,
    ownKey: async () => new Uint8Array(32),
    requireConsent: async () => {},
    ...overrides,
  };
}
