/** One line of help: a command, or a group whose commands share their first word. */
export interface HelpLine {
  readonly word: string;
  /** What the commands of a group are about; a single command has its own summary. */
  readonly about?: string;
}

/** What a person may want to do, and the words for it, in the order of help. */
export const helpSections: readonly { readonly title: string; readonly lines: readonly HelpLine[] }[] = [
  {
    title: 'Find and read',
    lines: [
      { word: 'search' },
      { word: 'open' },
      { word: 'read' },
      { word: 'refs' },
      { word: 'callers' },
      { word: 'callees' },
      { word: 'outline' },
      { word: 'related' },
      { word: 'ask' },
      { word: 'context' },
      { word: 'ui' },
    ],
  },
  {
    title: 'What is indexed',
    lines: [
      { word: 'index' },
      { word: 'watch' },
      { word: 'status' },
      { word: 'map' },
      { word: 'add' },
      { word: 'remove' },
      { word: 'source', about: 'Which conversations with agents are read beside the files.' },
    ],
  },
  {
    title: 'Settings and permissions',
    lines: [
      { word: 'init' },
      { word: 'projects', about: 'Give projects names, to search several together.' },
      { word: 'config', about: 'Every setting with its origin; change quarry.toml.' },
      { word: 'trust', about: "What this project's settings may run, and which of them count." },
      { word: 'consent', about: 'Which servers text may be sent to.' },
      { word: 'model', about: 'Embedding models on this machine.' },
    ],
  },
  {
    title: 'Editors, agents and servers',
    lines: [
      { word: 'install' },
      { word: 'uninstall' },
      { word: 'receipt' },
      { word: 'mcp' },
      { word: 'serve' },
      { word: 'stop' },
      { word: 'token', about: 'Who may call your server.' },
      { word: 'push' },
    ],
  },
  {
    title: 'Quality',
    lines: [{ word: 'eval' }, { word: 'report', about: 'Evaluations that are kept with this project.' }],
  },
  {
    title: 'Upkeep',
    lines: [
      { word: 'doctor' },
      { word: 'verify' },
      { word: 'repair' },
      { word: 'clean' },
      { word: 'export' },
      { word: 'import' },
      { word: 'cache', about: 'The vectors that all your projects share.' },
      { word: 'store', about: 'Copy the index into another store.' },
      { word: 'completions' },
    ],
  },
];
