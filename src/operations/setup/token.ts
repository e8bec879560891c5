import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import { QuarryError } from '../../core/errors.ts';
import type { TokenRecord, Tokens } from '../../user/tokens.ts';
import { defineOperation } from '../operation.ts';

const tokenSchema = z.object({
  id: z.string().describe('Names the token where it is revoked.'),
  name: z.string(),
  project: z.string().describe('The ids of its projects with commas between them, or `*` for all.'),
  access: z.enum(['read', 'write', 'admin']).describe('`admin` also allows what all projects share.'),
  created_at: z.string(),
});

/** Lists the tokens, without what would let a reader use one. */
export const tokenListOperation = defineOperation({
  effect: 'reads',
  reach: 'user',
  input: z.strictObject({}),
  output: z.object({ tokens: z.array(tokenSchema) }),
  examples: [{ input: {}, explains: 'which tokens there are, and what each allows' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project) {
    return { tokens: (await (await tokensOf(project)).list()).map(shown) };
  },
});

/** Makes a token. Only the owner may: who holds a token must not be able to make others. */
export const tokenCreateOperation = defineOperation({
  effect: 'writes',
  reach: 'owner',
  positionals: ['name'],
  input: z.strictObject({
    name: z.string().min(1).max(100).describe('Who or what uses it; shown in the log.'),
    for_project: z
      .string()
      .min(1)
      .default('*')
      .describe('The id of the only project it is for, or several with commas between them; `*` for all.'),
    write: z.boolean().default(false).describe('Allow changes too, not only to read.'),
    admin: z
      .boolean()
      .default(false)
      .describe('Allow to change all projects and what they share: consents, models, the cache.'),
  }),
  output: tokenSchema.extend({ token: z.string().describe('The token itself; it is kept nowhere.') }),
  examples: [
    { input: { name: 'ci' }, explains: 'a token to read all projects' },
    {
      input: { name: 'laptop', for_project: 'docs', write: true },
      explains: 'a token to read and change one project',
    },
    {
      input: { name: 'operator', admin: true },
      explains: 'a token that may give consents, remove models and clear the cache too',
    },
  ],
  async *run(project, { name, for_project: allowed, write, admin }) {
    if (admin && allowed !== '*') throw sharedByAll();
    const access = admin ? 'admin' : write ? 'write' : 'read';
    const ids = allowed.split(',').map((id) => id.trim());
    const created = await (await tokensOf(project)).create({ name, project: ids.join(','), access });
    return { ...shown(created), token: created.token };
  },
});

/** Revokes a token: its open connections are cut, and the next request with it is refused. */
export const tokenRevokeOperation = defineOperation({
  effect: 'destroys',
  reach: 'owner',
  positionals: ['id'],
  input: z.strictObject({ id: z.string().min(1).describe('The id of the token, as listed.') }),
  output: z.object({ revoked: z.string() }),
  examples: [{ input: { id: '4f1c09a2b7d3' }, explains: 'refuse this token from now on' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project, { id }) {
    if (await (await tokensOf(project)).revoke(id)) return { revoked: id };
    throw new QuarryError('usage-invalid', `There is no token "${id}".`, 'List them: quarry token list');
  },
});

function sharedByAll(): QuarryError {
  return new QuarryError(
    'usage-invalid',
    'A token for administration is for what all projects share, so it cannot be for one project.',
    'Leave out --for-project, or --admin.',
  );
}

async function tokensOf({ configFolder }: Project): Promise<Tokens> {
  return (await import('../../user/tokens.ts')).openTokens(configFolder);
}

function shown({ id, name, project, access, created_at }: TokenRecord): z.output<typeof tokenSchema> {
  return { id, name, project, access, created_at };
}
