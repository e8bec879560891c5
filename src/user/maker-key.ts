import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { QuarryError } from '../core/errors.ts';
import { type Environment, userConfigFolder, userDataFolder } from '../platform/environment.ts';
import { openUserRecord } from '../platform/user-record.ts';

/** The variable that holds a key where no folder outlives the work, as in CI. */
export const makerKeyVariable = 'QUARRY_MAKER_KEY';

/** Who signs an index that is handed over. */
export interface Maker {
  /** The public key, in base64. */
  readonly publicKey: string;
  /** Names the key for people. */
  readonly fingerprint: string;
  /** Signs for this maker, in base64. */
  sign(bytes: Uint8Array): string;
}

/** This user's key pair, made when it is first asked for; only the user can read it. */
export async function ownMaker(environment: Environment): Promise<Maker> {
  const given = environment(makerKeyVariable);
  const key = given === undefined ? await keptKey(environment) : parseKey(given, makerKeyVariable);
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return {
    publicKey,
    fingerprint: fingerprintOf(publicKey),
    sign: (bytes) => sign(null, bytes, key).toString('base64'),
  };
}

/** How people compare public keys. */
export function fingerprintOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 40);
}

/** Whether the bytes were signed by the owner of a public key. */
export function isSignedBy(publicKey: string, bytes: Uint8Array, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), type: 'spki', format: 'der' });
    return key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, Buffer.from(signature, 'base64'));
  } catch {
    // What is no key has signed nothing.
    return false;
  }
}

async function keptKey(environment: Environment): Promise<KeyObject> {
  const path = join(userDataFolder(environment), 'maker.key');
  const record = openUserRecord<string>(path, {
    name: 'The key by which indexes that you hand over are signed',
    remedy: 'Delete the file. A new key is then made, which others must trust again.',
    empty: '',
    parse: (text) => text.trim(),
    write: (text) => `${text}\n`,
  });
  const kept = (await record.read()) || (await record.change((there) => there || newKey()));
  return parseKey(kept, path);
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
}

function parseKey(text: string, place: string): KeyObject {
  try {
    const key = createPrivateKey({ key: Buffer.from(text.trim(), 'base64'), type: 'pkcs8', format: 'der' });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The text is a secret: no message shows it.
  }
  throw new QuarryError(
    'file-unreadable',
    `${place} has no key to sign with.`,
    `Copy the file maker.key of the user whose key it is, or leave out ${makerKeyVariable}.`,
  );
}

const fileSchema = z.object({
  makers: z.array(z.object({ project: z.string(), fingerprint: z.string(), givenAt: z.string() })),
});
type Trusted = z.output<typeof fileSchema>['makers'][number];

/** The makers whose indexes a user takes over, by project. */
export function trustedMakers(environment: Environment) {
  const record = openUserRecord<readonly Trusted[]>(join(userConfigFolder(environment), 'makers.json'), {
    name: 'The record of the makers you trust',
    remedy: 'Correct or delete the file; without it no index of somebody else is taken over.',
    empty: [],
    parse: (text) => fileSchema.parse(JSON.parse(text)).makers,
    write: (makers) => `${JSON.stringify({ makers }, null, 2)}\n`,
  });
  const isSame = (one: Trusted, project: string, fingerprint: string): boolean =>
    one.project === project && one.fingerprint === fingerprint;
  return {
    async of(project: string): Promise<string[]> {
      const makers = await record.read();
      return makers.filter((maker) => maker.project === project).map(({ fingerprint }) => fingerprint);
    },
    async give(project: string, fingerprint: string, signal?: AbortSignal): Promise<void> {
      const given = { project, fingerprint, givenAt: new Date().toISOString() };
      await record.change(
        (makers) => (makers.some((one) => isSame(one, project, fingerprint)) ? makers : [...makers, given]),
        signal,
      );
    },
    /** Of one maker, or of all; returns how many were trusted. */
    async withdraw(project: string, fingerprint?: string, signal?: AbortSignal): Promise<number> {
      let withdrawn = 0;
      await record.change((makers) => {
        const kept = makers.filter(
          (one) => one.project !== project || (fingerprint !== undefined && one.fingerprint !== fingerprint),
        );
        withdrawn = makers.length - kept.length;
        return withdrawn > 0 ? kept : makers;
      }, signal);
      return withdrawn;
    },
  };
}
