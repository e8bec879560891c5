import { join } from 'node:path';
import { z } from 'zod';
import { QuarryError } from '../core/errors.ts';
import { postgresOrigin } from '../platform/postgres-origin.ts';
import { openUserRecord, type UserRecord } from '../platform/user-record.ts';

const consentSchema = z.object({
  /** The folder of the project, or `*` for all. */
  project: z.string(),
  /** Scheme, host and port. */
  address: z.string(),
  givenAt: z.string(),
});
const fileSchema = z.object({ consents: z.array(consentSchema) });

/** What a user has agreed to: the text of a project may go to an address. */
export type Consent = z.output<typeof consentSchema>;

/** The name that stands for every project. */
export const everyProject = '*';

/** Everything the user has agreed to; nothing when there is no record yet. */
export async function readConsents(configFolder: string): Promise<readonly Consent[]> {
  return recordIn(configFolder).read();
}

/** Records that text of a project may go to an address; agreeing twice changes nothing. */
export async function giveConsent(
  configFolder: string,
  project: string,
  address: URL,
  signal?: AbortSignal,
): Promise<Consent> {
  const isSame = (consent: Consent) => consent.project === project && names(consent, address);
  const same = (await readConsents(configFolder)).find(isSame);
  if (same) return same;
  const given = { project, address: originOf(address), givenAt: new Date().toISOString() };
  await recordIn(configFolder).change(
    (consents) => (consents.some(isSame) ? consents : [...consents, given]),
    signal,
  );
  return given;
}

/** Takes back what was agreed for a project, for one address or all; returns how many records are gone. */
export async function withdrawConsent(
  configFolder: string,
  project: string,
  address?: URL,
  signal?: AbortSignal,
): Promise<number> {
  const isMeant = (consent: Consent) => consent.project === project && (!address || names(consent, address));
  if (!(await readConsents(configFolder)).some(isMeant)) return 0;
  let withdrawn = 0;
  await recordIn(configFolder).change((consents) => {
    const kept = consents.filter((consent) => !isMeant(consent));
    withdrawn = consents.length - kept.length;
    return kept;
  }, signal);
  return withdrawn;
}

/** Whether text of the project may go to the address. */
export function isAgreed(consents: readonly Consent[], project: string, address: URL): boolean {
  return consents.some(
    (consent) => names(consent, address) && [project, everyProject].includes(consent.project),
  );
}

/** Scheme, host and port, as people read and write them; `origin` knows them only of pages. */
export function originOf({ origin, protocol, host }: URL): string {
  return origin === 'null' ? `${protocol}//${host}` : origin;
}

/** Whether a consent is to this server. One to a database was recorded like that to a page before. */
export function names(consent: Pick<Consent, 'address'>, address: URL): boolean {
  const isDatabase = address.protocol === 'postgres:';
  return (
    consent.address === originOf(address) || (isDatabase && consent.address === `https://${address.host}`)
  );
}

/** Whether an address is this machine itself. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Reads an address as a person writes it: `https://api.example.com`, that of a database, or the host alone. */
export function parseAddress(text: string): URL {
  const address = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (address && /^https?:$/.test(address.protocol)) return address;
  const database = address && /^postgres(ql)?:$/.test(address.protocol) ? postgresOrigin(address.host) : null;
  if (database) return database;
  throw new QuarryError(
    'usage-invalid',
    `"${text}" is not the address of a server.`,
    'Write it like https://api.example.com',
  );
}

function recordIn(configFolder: string): UserRecord<readonly Consent[]> {
  return openUserRecord(join(configFolder, 'consents.json'), {
    name: 'The record of your consents',
    remedy: 'Correct or delete the file; without it nothing leaves this machine.',
    empty: [],
    parse: (text) => fileSchema.parse(JSON.parse(text)).consents,
    write: (consents) => `${JSON.stringify({ consents }, null, 2)}\n`,
  });
}
