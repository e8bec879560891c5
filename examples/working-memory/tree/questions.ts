import type { LabelledQuestion } from './tree-file.ts';

type Row = readonly [text: string, ...paths: string[]];

/** Questions on pages, written from the pages' content in other words and before any of them was asked. */
const rows: Readonly<Record<string, readonly Row[]>> = {
  prompt: [
    ['how fast do I have to react when Ines writes?', 'prompts/docs/email-etiquette.md'],
    ['may I pay a bill on my own?', 'prompts/system.md'],
    [
      'a service crashed twice, should I restart it again?',
      'prompts/workers/watchkeeper.md',
      'prompts/docs/escalation.md',
    ],
    ['when is a second payment reminder sent?', 'prompts/workers/bookkeeper.md'],
    ['which spelling and dashes does the house use?', 'prompts/workers/proofreader.md'],
    ['how much extra paper is reckoned for waste?', 'prompts/workers/estimator.md'],
    [
      'which part of the week is kept free for family?',
      'prompts/docs/calendar-rules.md',
      'prompts/workers/scheduler.md',
    ],
    ['can I check a manuscript with an online grammar tool?', 'prompts/docs/privacy.md'],
    [
      'whom do I call at night if the cellar floods and nobody answers?',
      'prompts/docs/escalation.md',
      'memory/procedures/reporting-water.md',
    ],
    ['how should bad news be worded?', 'prompts/docs/tone-of-voice.md'],
    ['how do I save the state without corrupting it?', 'prompts/docs/state-management.md'],
    ['what went wrong with the price of cotton paper?', 'prompts/anti-patterns/quoting-from-memory.md'],
  ],
  procedure: [
    ['what do I ask a customer for before buying material?', 'memory/procedures/new-client.md'],
    [
      'on which weekday must we order to get paper in time?',
      'memory/procedures/ordering-paper.md',
      'memory/notes/vendor-paper.md',
    ],
    ['is a thumbs-up enough to start printing?', 'memory/procedures/proof-approval.md'],
    ['why are the rags kept in a closed tin?', 'memory/procedures/washing-up-the-press.md'],
    ['can we release a website on a Friday?', 'memory/procedures/deploying-a-site.md'],
    ['how much do people get back if they cancel a week before the course?', 'memory/procedures/refunds.md'],
    ['how long may it take to recover lost data?', 'memory/procedures/restoring-a-backup.md'],
    ['what to do when an API key has leaked', 'memory/procedures/rotating-keys.md'],
    ['from which value on is a parcel insured?', 'memory/procedures/sending-parcels.md'],
    ['how long do we keep type standing after a job?', 'memory/procedures/archiving-jobs.md'],
    ['who stands in for us as teacher when we are ill?', 'memory/procedures/sick-day.md'],
    ['post-mortem after downtime', 'memory/procedures/incident-review.md'],
  ],
  note: [
    ['what does an hour on the press cost?', 'memory/notes/price-list.md'],
    ['the heating went out again, what now?', 'memory/notes/quirks-heating.md'],
    ['does Ines have a food allergy?', 'memory/notes/allergies.md'],
    ['what thickness of packing does the cylinder need?', 'memory/notes/quirks-cylinder.md'],
    ['why did we give up the flat-rate VAT scheme?', 'memory/notes/decision-tax-scheme.md'],
    ['do our sites track visitors?', 'memory/notes/decision-no-analytics.md'],
    ['until when is our rental contract?', 'memory/notes/lease.md'],
    ['is flooding from the ground covered?', 'memory/notes/insurance.md'],
    ['do we work on Fridays?', 'memory/notes/decision-four-day-week.md'],
    [
      'what could bring in more money?',
      'memory/notes/ideas-revenue.md',
      'memory/notes/ideas-web.md',
      'memory/notes/ideas-courses.md',
    ],
    ['which courier for packages to Dublin?', 'memory/notes/vendor-courier.md'],
    ['what is the working title of the show in autumn?', 'memory/notes/exhibition-plan.md'],
    ['how does Malcolm Reyes like to be contacted?', 'memory/notes/people/malcolm-reyes.md'],
    [
      'what makes our accountant happy?',
      'memory/notes/people/celia-fairweather.md',
      'memory/notes/vendor-accountant.md',
    ],
  ],
  service: [
    [
      'where do the backups physically go?',
      'docs/services/vault.md',
      'memory/procedures/restoring-a-backup.md',
    ],
    ['in which order do I restart the shop?', 'docs/services/shop.md'],
    ['E-417', 'docs/services/printer-queue.md'],
    ['why are some invoice numbers there twice?', 'docs/services/ledger.md', 'state.json'],
    ['all sites were reported down although they were up', 'docs/services/monitor.md'],
    ['burglar alarm goes off for no reason', 'docs/services/door.md'],
    ['how long can a client download a big file?', 'docs/services/transfer.md'],
    ['mail to a big provider bounces', 'docs/services/dipper.md'],
  ],
  exploration: [
    ['how can one tell how long a rock has been exposed?', 'explorations/lichen-clocks.md'],
    ['what makes marbled colours stay on the sheet?', 'explorations/marbling.md'],
    ['my starter smells of solvent', 'explorations/sourdough.md', 'logs/hobby_bread.md'],
    ['why do old documents have holes where the writing was?', 'explorations/oak-gall-ink.md'],
    ['getting to Portugal by rail', 'explorations/night-trains.md'],
    ['do trees really feed each other?', 'explorations/mushroom-networks.md'],
    ['first market manipulation over a network', 'explorations/semaphore-lines.md'],
    ['which blue does not fade?', 'explorations/blue-pigments.md'],
    ['how old is our wooden alphabet?', 'explorations/wood-type.md'],
    ['can we print menus for blind guests?', 'explorations/braille-presses.md'],
  ],
  self: [
    ['what am I waiting for at the moment?', 'state.json'],
    ['how do I make Wren stop?', 'OPERATIONS_MANUAL.md'],
    ['how many passages should a worker be given?', 'docs/operations/subagent-learning.md'],
    ['who is on call this week?', 'docs/operations/on-call.md'],
    ['why are memories kept as files and not in a database?', 'DESIGN_NOTES.md', 'docs/architecture.md'],
    ['where does the wren nest?', 'logs/hobby_birds.md'],
  ],
};

export const questionsOnPages: readonly LabelledQuestion[] = Object.entries(rows).flatMap(
  ([category, asked]) =>
    asked.map(([text, ...paths], place) => ({
      id: `${category}-${place + 1}`,
      category,
      text,
      relevant: paths.map((path, rank) => ({ path, grade: rank === 0 ? 1 : 0.5 })),
    })),
);
