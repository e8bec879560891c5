import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { openUserRecord } from '../platform/user-record.ts';

const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** SHA-256 of the token, in hex. A token has 256 random bits, so a slow hash would protect nothing more. */
  hash: z.string(),
  /** The id of a project, or `*` for all. */
  project: z.string(),
  access: z.enum(['read', 'write']),
  created_at: z.string(),
});
const fileSchema = z.object({ tokens: z.array(tokenSchema) });

/** A token as it is kept: what it allows, and the hash by which it is recognised. */
export type TokenRecord = Readonly<z.output<typeof tokenSchema>>;

/** The tokens by which callers beyond this machine are recognised. */
export interface Tokens {
  /** Makes a token; its text is returned this once and kept nowhere. */
  create(
    wanted: Pick<TokenRecord, 'name' | 'project' | 'access'>,
  ): Promise<TokenRecord & { readonly token: string }>;
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
    async create({ name, project, access }) {
      const id = randomBytes(6).toString('hex');
      const token = `quarry_${id}_${randomBytes(32).toString('base64url')}`;
      const kept: TokenRecord = {
        id,
        name,
        hash: hashOf(token).toString('hex'),
        project,
        access,
        created_at: new Date().toISOString(),
      };
      await record.change((tokens) => [...tokens, kept]);
      return { ...kept, token };
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
    async find(token) {
      const given = hashOf(token);
      // Every record is compared, in constant time each, so that the time says nothing about the tokens there are.
      const known = (await record.read()).filter(({ hash }) => isEqual(Buffer.from(hash, 'hex'), given));
      return known[0];
    },
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
