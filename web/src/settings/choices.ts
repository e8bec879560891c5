import type { Setting } from './drafts.ts';

/** A setting as a person would ask for it. */
export interface Choice {
  /** A setting, or an entry of one that is a table. */
  readonly key: string;
  readonly question: string;
  readonly help: string;
  /** Values to choose from, by what they mean; any other is written as Advanced shows it. */
  readonly options?: readonly (readonly [value: string, name: string])[];
}

const megabytes = (count: number): readonly [string, string] => [String(count * 2 ** 20), `${count} MB`];

/** What most people decide, if anything; the other settings are for those who look for them. */
export const choices: readonly Choice[] = [
  {
    key: 'preset',
    question: 'What is in this folder?',
    help: 'Chooses settings that suit it; those that you set yourself stay.',
    options: [
      ['code', 'Source code'],
      ['knowledge', 'Documents, notes and mail'],
      ['governance', 'Rules and decisions'],
      ['memory', 'The memory of an agent'],
    ],
  },
  {
    key: 'index.exclude',
    question: 'What should not be searched?',
    help: 'Folders and files, one on each line, such as drafts/ or *.bak.',
  },
  {
    key: 'index.gitignore',
    question: 'Leave out what git ignores?',
    help: 'What the .gitignore files of the folder name is then not searched.',
  },
  {
    key: 'index.max_file_bytes',
    question: 'How large may a file be?',
    help: 'Larger ones are not searched; Status lists them. PDF, office files and mail may be 32 times as large.',
    options: [megabytes(1), megabytes(2), megabytes(5), megabytes(10), megabytes(50)],
  },
  {
    key: 'max_age_days.email',
    question: 'How old may mail be?',
    help: 'Older messages are not searched.',
    options: [
      ['30', '30 days'],
      ['60', '60 days'],
      ['365', 'A year'],
      ['1826', 'Five years'],
      ['36525', 'Any age'],
    ],
  },
  {
    key: 'index.redact_secrets',
    question: 'Black out keys and passwords?',
    help: 'Before anything is kept, so that no answer shows them.',
  },
  {
    key: 'index.on_search',
    question: 'Look for changed files before each search?',
    help: 'If not, a search may miss what you wrote since the last look.',
  },
  {
    key: 'search.top_k',
    question: 'How many hits should a search give?',
    help: 'On the command line and for agents; this page shows ten, and more where you want them.',
  },
  {
    key: 'generator.driver',
    question: 'Who writes answers?',
    help: 'Without a model, answers quote your files. A service also needs a model and a key: search the settings for “generator”.',
    options: [
      ['auto', 'A model on this machine, if any'],
      ['none', 'Nobody: quote my files'],
      ['gguf', 'A model file of this machine'],
      ['openai', 'OpenAI, or a server that speaks like it'],
      ['anthropic', 'Anthropic'],
      ['gemini', 'Gemini'],
    ],
  },
  {
    key: 'resources.threads',
    question: 'How many processor cores may be used?',
    help: 'Fewer leave more to your other programs. Empty: all of them.',
  },
];

/** The settings that the choices are about, in their order; an entry of a table as a setting of its own. */
export function settingsOf(all: readonly Setting[]): (Setting & { readonly choice: Choice })[] {
  return choices.flatMap((choice) => {
    const whole = all.find(({ key }) => key === choice.key);
    if (whole) return [{ ...whole, choice }];
    const [table = '', entry = ''] = choice.key.split(/\.([^.]+)$/);
    const around = all.find(({ key }) => key === table);
    if (!around) return [];
    const value = (around.value as Record<string, unknown> | undefined)?.[entry];
    // Its own origin is not known; to take it back means the whole table.
    return [
      { ...around, key: choice.key, value, layer: 'default', origin: '', schema: { type: 'number' }, choice },
    ];
  });
}
