import type { DriverContext } from '../../contracts/driver.ts';
import { driverContext } from '../../testing/driver-context.ts';

/** A context with these variables in which the user has agreed to everything; `asked` gathers the addresses. */
export function testContext(
  variables: Readonly<Record<string, string>> = {},
  asked: string[] = [],
): DriverContext {
  return driverContext({
    environment: (name) => variables[name],
    requireConsent: async (address) => void asked.push(address.href),
  });
}
