import { daysBefore } from './calendar.ts';
import { type Chance, createChance } from './chance.ts';
import { emails } from './emails.ts';
import { explorations } from './explorations.ts';
import { jobCards } from './jobs.ts';
import { journals } from './journals.ts';
import { type Note, notes, operations, writing } from './notes.ts';
import { type Profile, profiles } from './people.ts';
import { procedures } from './procedures.ts';
import { prompts } from './prompts.ts';
import { questionsOnPages } from './questions.ts';
import { services } from './services.ts';
import type { LabelledQuestion, TreeFile } from './tree-file.ts';

/** The folder of an assistant, and questions with known answers about it. */
export interface MemoryTree {
  readonly files: readonly TreeFile[];
  readonly questions: readonly LabelledQuestion[];
}

/**
 * What Wren, the assistant of a printing studio, has written down and received. The same seed and day make the same
 * tree; facts are drawn once and told by one file each, nothing is repeated to fill pages.
 */
export function memoryTree({ seed = 1, today = Date.now() } = {}): MemoryTree {
  const chance = createChance(seed);
  const at = (path: string, text: string, days = chance.number(2, 300)): TreeFile => ({
    path,
    text,
    modifiedAt: daysBefore(today, days, chance.number(8, 18)),
  });
  const known = profiles(chance);
  const mail = emails(chance, today);
  return {
    files: [
      ...prompts.map(({ path, title, sections }) => at(path, page(title, sections))),
      ...procedures.map(([stem, title, when, ...steps]) =>
        at(`memory/procedures/${stem}.md`, procedure(title, when, steps)),
      ),
      ...notes.map((note) => at(`memory/notes/${note[0]}.md`, plain(note))),
      ...known.map((profile) => at(`memory/notes/people/${stemOf(profile)}.md`, personNote(profile, chance))),
      ...explorations.map(([stem, title, spark, findings, open]) =>
        at(
          `explorations/${stem}.md`,
          `# ${title}\n\n${spark}\n\n${findings.map(([name, text]) => `**Key finding: ${name}.** ${text}`).join('\n\n')}\n\n## Open\n\n${open}\n`,
        ),
      ),
      ...services.map(({ name, purpose, where, restart, backup, trouble }) =>
        at(
          `docs/services/${name}.md`,
          page(name, [
            ['Purpose', purpose],
            ['Where it runs', where],
            ['Restart', restart],
            ['Backup', backup],
            ['Known trouble', trouble],
          ]),
        ),
      ),
      ...operations.map((note) => at(`docs/operations/${note[0]}.md`, plain(note))),
      ...writing.map((note) => at(`writing/${note[0]}.md`, plain(note))),
      at('docs/architecture.md', page('How Wren is built', architecture)),
      at('DESIGN_NOTES.md', page('Design notes', designNotes)),
      at('OPERATIONS_MANUAL.md', page('Operations manual', manual)),
      ...jobCards(chance, today),
      ...journals(chance, today),
      ...mail.files,
    ],
    questions: [...questionsOnPages, ...mail.questions],
  };
}

const architecture = [
  [
    'Parts',
    'A controller fetches mail and starts workers; each worker is one call of a model with a brief, tools and a few passages of memory. Nothing runs between sessions but the mail fetcher.',
  ],
  [
    'Memory',
    'Files are the memory. An index beside them finds passages by meaning and by words; it can be thrown away and made again in half a minute.',
  ],
] as const;

const designNotes = [
  [
    'Why plain files',
    'Ines can read and correct what Wren believes, with any editor. A database would have hidden it.',
  ],
  ['Why one log', 'Stories in one place keep their order. The order is often the explanation.'],
] as const;

const manual = [
  [
    'Starting Wren',
    'Log in as wren, start the controller, read the first line it writes: it names the last session that ended well.',
  ],
  [
    'Stopping Wren',
    'Put the word stop into the file called brake. Workers finish their sentence, the controller saves the state and leaves.',
  ],
] as const;

function page(title: string, sections: readonly (readonly [string, string])[]): string {
  return `# ${title}\n\n${sections.map(([heading, text]) => `## ${heading}\n\n${text}\n`).join('\n')}`;
}

function plain([, title, ...paragraphs]: Note): string {
  return `# ${title}\n\n${paragraphs.join('\n\n')}\n`;
}

function procedure(title: string, when: string, steps: readonly string[]): string {
  return `# ${title}\n\nWhen ${when}.\n\n${steps.map((step, place) => `${place + 1}. ${step}`).join('\n')}\n`;
}

function personNote({ person, channel, pace, dislike, delight, payment }: Profile, chance: Chance): string {
  const first = person.name.split(' ')[0];
  const known = chance.number(1, 9);
  return `# ${person.name}\n\n${capitalised(person.role)}. We have known each other for ${known === 1 ? 'a year' : `${known} years`}.\n\n${first} prefers ${channel}, ${pace} and ${payment}. Dislikes ${dislike}; is always pleased by ${delight}.\n`;
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function stemOf({ person }: Profile): string {
  return person.name.toLowerCase().replace(/\W+/g, '-');
}
