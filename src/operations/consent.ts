import { z } from 'zod';
import { QuarryError } from '../core/errors.ts';
import type { Consent } from '../project/consent.ts';
import { defineOperation } from './operation.ts';

/** Shows and changes which addresses a project's text may be sent to. */
export const consentOperation = defineOperation({
  name: 'consent',
  summary: 'Show, give or withdraw the consent to send text to a server.',
  positionals: ['action', 'address'],
  input: z.strictObject({
    action: z
      .enum(['list', 'give', 'withdraw'])
      .default('list')
      .describe('`list` shows what was agreed, `give` agrees, `withdraw` takes it back.'),
    address: z.string().min(1).optional().describe('The server, like https://api.example.com.'),
    everywhere: z.boolean().default(false).describe('For all projects, not for this one alone.'),
  }),
  output: z.object({
    action: z.enum(['list', 'give', 'withdraw']),
    project: z.string(),
    withdrawn: z.int().describe('Records taken back by this call.'),
    consents: z.array(z.object({ project: z.string(), address: z.string(), given_at: z.string() })),
    still_allowed: z
      .array(z.string())
      .describe('Addresses that were to be withdrawn, and that a consent for all projects goes on to allow.'),
  }),
  examples: [
    { input: { action: 'list' }, explains: 'where text may be sent' },
    {
      input: { action: 'give', address: 'https://api.openai.com' },
      explains: 'this project may send its text and questions there',
    },
    { input: { action: 'withdraw' }, explains: 'nothing of this project leaves the machine any more' },
  ],
  async *run(project, { action, address, everywhere }) {
    const { everyProject, giveConsent, parseAddress, readConsents, withdrawConsent } = await import(
      '../project/consent.ts'
    );
    const scope = everywhere ? everyProject : project.folder;
    const parsed = address === undefined ? undefined : parseAddress(address);
    let withdrawn = 0;
    if (action === 'give') {
      if (!parsed) throw addressMissing();
      await giveConsent(project.configFolder, scope, parsed);
    }
    if (action === 'withdraw') withdrawn = await withdrawConsent(project.configFolder, scope, parsed);
    const consents = await readConsents(project.configFolder);
    return {
      action,
      project: project.folder,
      withdrawn,
      still_allowed: action === 'withdraw' ? stillAllowed(consents, everyProject, parsed) : [],
      consents: consents.map(({ givenAt, ...rest }) => ({ ...rest, given_at: givenAt })),
    };
  },
});

/** What was agreed for all projects holds for this one too, until it is withdrawn for all. */
function stillAllowed(
  consents: readonly Consent[],
  everyProject: string,
  address: URL | undefined,
): string[] {
  return consents
    .filter((consent) => consent.project === everyProject)
    .map((consent) => consent.address)
    .filter((allowed) => address === undefined || allowed === address.origin);
}

function addressMissing(): QuarryError {
  return new QuarryError(
    'usage-invalid',
    'No address was named.',
    'Name the server: quarry consent give https://api.example.com',
  );
}
