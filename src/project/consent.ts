import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, QuarryError } from '../core/errors.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { waitForLock } from '../platform/sqlite/writer-lock.ts';
import { writeDurably } from '../platform/write-durably.ts';

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
  const path = fileIn(configFolder);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return [];
    throw unreadable(path, cause);
  }
  try {
    return fileSchema.parse(JSON.parse(text)).consents;
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Records that text of a project may go to an address; agreeing twice changes nothing. */
export async function giveConsent(
  configFolder: string,
  project: string,
  address: URL,
  signal?: AbortSignal,
): Promise<Consent> {
  const isSame = (consent: Consent) => consent.project === project && consent.address === address.origin;
  const same = (await readConsents(configFolder)).find(isSame);
  if (same) return same;
  const given = { project, address: address.origin, givenAt: new Date().toISOString() };
  const add = (consents: readonly Consent[]) => (consents.some(isSame) ? consents : [...consents, given]);
  await changeConsents(configFolder, add, signal);
  return given;
}

/** Takes back what was agreed for a project, for one address or all; returns how many records are gone. */
export async function withdrawConsent(
  configFolder: string,
  project: string,
  address?: URL,
  signal?: AbortSignal,
): Promise<number> {
  const isMeant = (consent: Consent) =>
    consent.project === project && (!address || consent.address === address.origin);
  if (!(await readConsents(configFolder)).some(isMeant)) return 0;
  let withdrawn = 0;
  const remove = (consents: readonly Consent[]) => {
    const kept = consents.filter((consent) => !isMeant(consent));
    withdrawn = consents.length - kept.length;
    return kept;
  };
  await changeConsents(configFolder, remove, signal);
  return withdrawn;
}

/** Whether text of the project may go to the address. */
export function isAgreed(consents: readonly Consent[], project: string, address: URL): boolean {
  return consents.some(
    (consent) => consent.address === address.origin && [project, everyProject].includes(consent.project),
  );
}

/** Whether an address is this machine itself. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Reads an address as a person writes it: `https://api.example.com`, or the host alone. */
export function parseAddress(text: string): URL {
  const written = text.includes('://') ? text : `https://${text}`;
  if (URL.canParse(written)) {
    const address = new URL(written);
    if (['http:', 'https:'].includes(address.protocol)) return address;
  }
  throw new QuarryError(
    'usage-invalid',
    `"${text}" is not the address of a server.`,
    'Write it like https://api.example.com',
  );
}

/** Reads, changes and writes the record while no other process does. */
async function changeConsents(
  configFolder: string,
  change: (consents: readonly Consent[]) => readonly Consent[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const path = fileIn(configFolder);
  await makeFolder(configFolder).catch((cause) => {
    throw unwritable(path, cause);
  });
  const lock = await waitForLock(`${path}.lock`, { signal });
  try {
    const before = await readConsents(configFolder);
    const after = change(before);
    if (after !== before) await writeConsents(path, after);
  } finally {
    lock.release();
  }
}

async function writeConsents(path: string, consents: readonly Consent[]): Promise<void> {
  try {
    await writeDurably(path, `${JSON.stringify({ consents }, null, 2)}\n`, 0o600);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function unwritable(path: string, cause: unknown): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `${path} cannot be written: ${messageOf(cause)}`,
    'Make the folder writable.',
    { cause },
  );
}

function unreadable(path: string, cause: unknown): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `The record of your consents, ${path}, cannot be read.`,
    'Mend or delete the file; without it nothing leaves this machine.',
    { cause },
  );
}

function fileIn(configFolder: string): string {
  return join(configFolder, 'consents.json');
}
