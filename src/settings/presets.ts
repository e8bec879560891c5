/** Starting points for a kind of corpus; every value can be overridden by any layer. */
export const presets = {
  /** Source code with its documents: the defaults, with room for whole definitions. */
  code: {
    'chunking.sizes': 'code',
  },
  /** Documents, notes and mail for reading and answering. */
  knowledge: {
    types: {
      note: ['**/notes/**', '**/journal/**'],
      procedure: ['**/procedures/**', '**/runbooks/**'],
      email: ['*.eml', '*.mbox', '**/emails/**', '**/mail/**'],
    },
    'search.threshold': 0.3,
  },
  /** Decisions, standards and designs that a piece of work must respect. */
  governance: {
    types: {
      adr: ['**/adr/**', '**/adrs/**', '**/decisions/**'],
      standard: ['**/standards/**'],
      lld: ['**/LLDs/**', '**/lld/**'],
    },
    'index.include': ['*.md', '*.markdown', '*.rst', '*.txt'],
    'search.top_k': 3,
    'search.threshold': 0.3,
  },
  /** What an agent should remember: prompts, notes, explorations, mail of the last 60 days, state and logs. */
  memory: {
    types: {
      prompt: ['**/prompts/**'],
      procedure: ['**/procedures/**'],
      exploration: ['**/explorations/**'],
      email: ['*.eml', '*.mbox', '**/emails/**'],
      log: ['*.log', '**/logs/**', '*_log.md'],
      state: ['state.json', '*.state.json'],
      note: ['**/notes/**', '**/memory/**', '**/memory-*/**'],
    },
    max_age_days: { email: 60 },
    'context.threshold': 0.3,
  },
} as const satisfies Record<string, Readonly<Record<string, unknown>>>;

/** The name of a preset. */
export type PresetName = keyof typeof presets;
