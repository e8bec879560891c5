import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { openUserRecord } from '../platform/user-record.ts';

/** What a token is for: to read projects, to change them too, or also what all projects of a user share. */
export const accessSchema = z.enum(['read', 'write', 'admin']);

const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** SHA-256 of the token, in hex. A token has 256 random bits, so a slow hash would protect nothing more. */
  hash: z.string(),
  /** The id of a project, or `*` for all. */
  project: z.string(),
  access: accessSchema,
  created_at: z.string(),
});
const fileSchema = z.object({ tokens: z.array(tokenSchema) });

/** A token as it is kept: what it allows, and the hash by which it is recognised. */
export type TokenRecord = Readonly<z.output<typeof tokenSchema>>;

/** What is wanted of a new token. */
type WantedToken = Pick<TokenRecord, 'name' | 'project' | 'access'>;

/** A new token with its record. */
export interface MadeToken extends TokenRecord {
  /** What a caller shows; it is kept nowhere. */
  readonly token: string;
}

/** The tokens by which callers over TCP are recognised. */
export interface Tokens {
  /** Makes a token and keeps its record. */
  create(wanted: WantedToken): Promise<MadeToken>;
  list(): Promise<readonly TokenRecord[]>;
  /** Returns whether there was such a token. */
  revoke(id: string): Promise<boolean>;
  /** The record of a token; undefined for one that is unknown or revoked. */
  find(token: string): Promise<TokenRecord | undefined>;
}

/** The user's tokens. */
export function openTokens(configFolder: string): Tokens {
  const record = openUserRecord<readonly TokenRecord[]>(join(configFolder, 'tokens.json'), {
    name: 'The record of your access tokens',
    remedy: 'Correct or delete the file; without it no token is valid.',
    empty: [],
    parse: (text) => fileSchema.parse(JSON.parse(text)).tokens,
    write: (tokens) => `${JSON.stringify({ tokens }, null, 2)}\n`,
  });
  return {
    async create(wanted) {
      const { token, ...kept } = makeToken(wanted);
      await record.change((tokens) => [...tokens, kept]);
      return { token, ...kept };
    },
    list: () => record.read(),
    async revoke(id) {
      let isRevoked = false;
      await record.change((tokens) => {
        isRevoked = tokens.some((token) => token.id === id);
        return isRevoked ? tokens.filter((token) => token.id !== id) : tokens;
      });
      return isRevoked;
    },
    find: async (token) => findToken(await record.read(), token),
  };
}

/** A token that nobody has yet. */
export function makeToken({ name, project, access }: WantedToken): MadeToken {
  const id = randomBytes(6).toString('hex');
  const token = `quarry_${id}_${randomBytes(32).toString('base64url')}`;
  const hash = hashOf(token).toString('hex');
  return { token, id, name, hash, project, access, created_at: new Date().toISOString() };
}

/** These tokens and one more, which is in memory alone. */
export function withToken(tokens: Tokens, further: TokenRecord): Tokens {
  const list = async () => [...(await tokens.list()), further];
  return { ...tokens, list, find: async (token) => findToken(await list(), token) };
}

function findToken(records: readonly TokenRecord[], token: string): TokenRecord | undefined {
  const given = hashOf(token);
  // Every record is compared, in constant time each, so that the time says nothing about the tokens there are.
  return records.filter(({ hash }) => isEqual(Buffer.from(hash, 'hex'), given))[0];
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
