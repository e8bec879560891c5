import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import type { Consent } from '../../user/consent.ts';
import { defineOperation } from '../operation.ts';

const address = z.string().min(1);
const everywhere = z.boolean().default(false).describe('For all projects, not only this one.');

const agreed = z.object({
  project: z.string(),
  consents: z.array(z.object({ project: z.string(), address: z.string(), given_at: z.string() })),
});

/** Shows which addresses a project's text may be sent to. */
export const consentListOperation = defineOperation({
  effect: 'reads',
  reach: 'user',
  needsNoSettings: 'note',
  input: z.strictObject({}),
  output: agreed,
  examples: [{ input: {}, explains: 'where text may be sent' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project) {
    const { readConsents } = await import('../../user/consent.ts');
    return agreedOf(project, await readConsents(project.configFolder));
  },
});

/** Agrees to send text to an address. */
export const consentGiveOperation = defineOperation({
  effect: 'writes',
  reach: 'user',
  positionals: ['address'],
  needsNoSettings: 'note',
  input: z.strictObject({
    address: address.describe('The server, like https://api.example.com or postgres://db.example.com:5432.'),
    everywhere,
  }),
  output: agreed,
  examples: [
    {
      input: { address: 'https://api.openai.com' },
      explains: 'this project may send its text and questions there',
    },
  ],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project, input, { signal }) {
    const { everyProject, giveConsent, parseAddress, readConsents } = await import('../../user/consent.ts');
    const scope = input.everywhere ? everyProject : project.folder;
    await giveConsent(project.configFolder, scope, parseAddress(input.address), signal);
    return agreedOf(project, await readConsents(project.configFolder));
  },
});

/** Withdraws a consent. It takes effect at once, also for work that is running. */
export const consentWithdrawOperation = defineOperation({
  effect: 'writes',
  reach: 'user',
  positionals: ['address'],
  needsNoSettings: 'note',
  input: z.strictObject({
    address: address.optional().describe('The server; absent means all servers.'),
    everywhere,
  }),
  output: agreed.extend({
    withdrawn: z.int().describe('Consents that this call withdrew.'),
    still_allowed: z.array(z.string()).describe('Addresses that a consent for all projects still allows.'),
  }),
  examples: [{ input: {}, explains: 'no text of this project leaves the machine from now on' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(project, input, { signal }) {
    const record = await import('../../user/consent.ts');
    const { everyProject, parseAddress, readConsents, withdrawConsent } = record;
    const scope = input.everywhere ? everyProject : project.folder;
    const parsed = input.address === undefined ? undefined : parseAddress(input.address);
    const withdrawn = await withdrawConsent(project.configFolder, scope, parsed, signal);
    const consents = await readConsents(project.configFolder);
    return {
      ...agreedOf(project, consents),
      withdrawn,
      still_allowed: stillAllowed(consents, parsed, record),
    };
  },
});

function agreedOf(project: Project, consents: readonly Consent[]): z.output<typeof agreed> {
  return {
    project: project.folder,
    consents: consents.map(({ givenAt, ...rest }) => ({ ...rest, given_at: givenAt })),
  };
}

/** A consent for all projects covers this one too, until it is withdrawn for all. */
function stillAllowed(
  consents: readonly Consent[],
  address: URL | undefined,
  { everyProject, names }: Pick<typeof import('../../user/consent.ts'), 'everyProject' | 'names'>,
): string[] {
  return consents
    .filter((consent) => consent.project === everyProject && (!address || names(consent, address)))
    .map((consent) => consent.address);
}
