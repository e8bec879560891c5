import type { DriverContext } from '../../contracts/driver.ts';
import { QuarryError } from '../../core/errors.ts';

/** Fails unless text may go to the server of a store; one that nothing listens for is a server that cannot be reached. */
export async function requireStoreConsent(
  { requireConsent }: DriverContext,
  address: URL,
  socket?: string,
): Promise<void> {
  try {
    await requireConsent(address, socket);
  } catch (thrown) {
    if (!(thrown instanceof QuarryError) || thrown.code !== 'provider-unreachable') throw thrown;
    const { message, remedy, cause } = thrown;
    throw new QuarryError('server-unreachable', message, remedy, { cause });
  }
}
