import type { Operation, OperationBody } from './operation.ts';

/** What is known of an operation before it is loaded: enough to find and list it. */
export interface OperationEntry extends Pick<Operation, 'name' | 'summary'> {
  /**
   * What the command line has in place of its name: a flag of another command (`clean --all`), or the command that does the
   * same (`status`). Other surfaces know it by its name.
   */
  readonly command?: string;
  load(): Promise<object>;
}

/** Every operation, in the order of help. A group's name alone means its first operation. */
export const catalogue: readonly OperationEntry[] = [
  {
    name: 'search',
    summary: 'Find the places that answer a question.',
    load: async () => (await import('./find/search.ts')).searchOperation,
  },
  {
    name: 'read',
    summary: 'Show lines, a definition or a chunk of an indexed file.',
    load: async () => (await import('./find/read.ts')).readOperation,
  },
  {
    name: 'refs',
    summary: 'Find every mention of a name in the code, by what it means.',
    load: async () => (await import('./find/code-graph.ts')).refsOperation,
  },
  {
    name: 'callers',
    summary: 'List the calls of a function, method or class.',
    load: async () => (await import('./find/code-graph.ts')).callersOperation,
  },
  {
    name: 'callees',
    summary: 'List what a function or method calls.',
    load: async () => (await import('./find/code-graph.ts')).calleesOperation,
  },
  {
    name: 'outline',
    summary: 'List what a file defines, or its headings, with lines.',
    load: async () => (await import('./find/code-graph.ts')).outlineOperation,
  },
  {
    name: 'related',
    summary: 'List callers, callees, tests and files that belong to a name, a place or a file.',
    load: async () => (await import('./find/code-graph.ts')).relatedOperation,
  },
  {
    name: 'ask',
    summary: 'Answer a question from the project, with sources and checked citations.',
    load: async () => (await import('./find/ask.ts')).askOperation,
  },
  {
    name: 'context',
    summary: 'Write what answers a question as one block for a prompt.',
    load: async () => (await import('./find/context.ts')).contextOperation,
  },
  {
    name: 'memory',
    summary: 'Show what an agent should have in mind for a task or a message.',
    command: 'context --for memory',
    load: async () => (await import('./find/memory.ts')).memoryOperation,
  },
  {
    name: 'index',
    summary: 'Bring the index up to date with the folder.',
    load: async () => (await import('./index/index-project.ts')).indexOperation,
  },
  {
    name: 'history allow',
    summary: 'Index the commits of this folder too, from now on; git is run to read them.',
    command: 'index --history',
    load: async () => (await import('./index/history.ts')).historyAllowOperation,
  },
  {
    name: 'history withdraw',
    summary: 'Remove the commits of this folder from the index, and stop running git for them.',
    command: 'index --no-history',
    load: async () => (await import('./index/history.ts')).historyWithdrawOperation,
  },
  {
    name: 'status',
    summary: 'Show what is indexed, how fresh it is, what changed last and what was left out.',
    load: async () => (await import('./index/status.ts')).statusOperation,
  },
  {
    name: 'manifest',
    summary: 'List every path the index knows, with its hash, size, time and chunks.',
    command: 'status --files',
    load: async () => (await import('./index/manifest.ts')).manifestOperation,
  },
  {
    name: 'overview',
    summary: 'Show what the corpus is made of, how fresh it is and what changed last.',
    command: 'status',
    load: async () => (await import('./index/overview.ts')).overviewOperation,
  },
  {
    name: 'watch',
    summary: 'Keep the index up to date while files change, until stopped.',
    load: async () => (await import('./index/watch.ts')).watchOperation,
  },
  {
    name: 'push',
    summary: 'Send the files of this folder to a server, where they are indexed.',
    load: async () => (await import('./index/push.ts')).pushOperation,
  },
  {
    name: 'add',
    summary: 'Add text that has no file in the project; it is kept until it is removed by name.',
    load: async () => (await import('./index/content.ts')).addOperation,
  },
  {
    name: 'remove',
    summary: 'Remove added content by name, for good.',
    load: async () => (await import('./index/content.ts')).removeOperation,
  },
  {
    name: 'source list',
    summary: 'List whose conversations are indexed along with the files.',
    load: async () => (await import('./index/source.ts')).sourceListOperation,
  },
  {
    name: 'source add',
    summary: 'Read conversations with agents on this machine too, as a source of this project.',
    load: async () => (await import('./index/source.ts')).sourceAddOperation,
  },
  {
    name: 'source remove',
    summary: 'Stop reading the conversations of an agent, and remove them from the index.',
    load: async () => (await import('./index/source.ts')).sourceRemoveOperation,
  },
  {
    name: 'map',
    summary: 'Lay out the chunks of the index in a plane, those with similar meaning near each other.',
    load: async () => (await import('./find/map.ts')).mapOperation,
  },
  {
    name: 'verify',
    summary: 'Check the whole index without indexing again.',
    load: async () => (await import('./upkeep/verify.ts')).verifyOperation,
  },
  {
    name: 'repair',
    summary: 'Repair the index; documents that cannot be repaired in place are read again.',
    load: async () => (await import('./upkeep/repair.ts')).repairOperation,
  },
  {
    name: 'clean',
    summary: 'Remove what the index no longer needs.',
    load: async () => (await import('./upkeep/clean.ts')).cleanOperation,
  },
  {
    name: 'clean all',
    summary:
      'Remove the whole index and the kept evaluations; added content is kept, and comes back with the next run.',
    command: 'clean --all',
    load: async () => (await import('./upkeep/clean.ts')).cleanAllOperation,
  },
  {
    name: 'export',
    summary: 'Write the index to one signed file, for others who have the same files.',
    load: async () => (await import('./upkeep/hand-over.ts')).exportOperation,
  },
  {
    name: 'import',
    summary: 'Take over an index that was made of the same files, then read what differs.',
    load: async () => (await import('./upkeep/hand-over.ts')).importOperation,
  },
  {
    name: 'store migrate',
    summary: 'Copy the index into another store, without embedding again, and compare both.',
    load: async () => (await import('./upkeep/store.ts')).storeMigrateOperation,
  },
  {
    name: 'model list',
    summary: 'List the embedding models, their sizes and licences.',
    load: async () => (await import('./setup/model.ts')).modelListOperation,
  },
  {
    name: 'model add',
    summary: 'Add an embedding model by name.',
    load: async () => (await import('./setup/model.ts')).modelAddOperation,
  },
  {
    name: 'model remove',
    summary: 'Delete an embedding model that was added.',
    load: async () => (await import('./setup/model.ts')).modelRemoveOperation,
  },
  {
    name: 'cache stats',
    summary: 'Count the vectors that all your projects share.',
    load: async () => (await import('./upkeep/cache.ts')).cacheStatsOperation,
  },
  {
    name: 'cache export',
    summary: 'Write the vectors that all your projects share to one file.',
    load: async () => (await import('./upkeep/cache.ts')).cacheExportOperation,
  },
  {
    name: 'cache import',
    summary: 'Add the vectors of an exported file to those that all your projects share.',
    load: async () => (await import('./upkeep/cache.ts')).cacheImportOperation,
  },
  {
    name: 'cache clear',
    summary: 'Remove all vectors that your projects share.',
    load: async () => (await import('./upkeep/cache.ts')).cacheClearOperation,
  },
  {
    name: 'consent list',
    summary: 'Show which servers text may be sent to.',
    load: async () => (await import('./setup/consent.ts')).consentListOperation,
  },
  {
    name: 'consent give',
    summary: 'Allow text to be sent to a server.',
    load: async () => (await import('./setup/consent.ts')).consentGiveOperation,
  },
  {
    name: 'consent withdraw',
    summary: 'Withdraw the consent to send text to a server, or to all servers.',
    load: async () => (await import('./setup/consent.ts')).consentWithdrawOperation,
  },
  {
    name: 'trust give',
    summary: "Allow commands of this project's settings to run.",
    load: async () => (await import('./setup/trust.ts')).trustGiveOperation,
  },
  {
    name: 'trust show',
    summary: 'Show what the settings of this project would run.',
    load: async () => (await import('./setup/trust.ts')).trustShowOperation,
  },
  {
    name: 'trust withdraw',
    summary: "Stop running commands of this project's settings.",
    load: async () => (await import('./setup/trust.ts')).trustWithdrawOperation,
  },
  {
    name: 'init',
    summary: 'Write a quarry.toml with comments to start from.',
    load: async () => (await import('./setup/init.ts')).initOperation,
  },
  {
    name: 'projects list',
    summary: 'List the projects that have a name, so that they can be asked together.',
    load: async () => (await import('./setup/projects.ts')).projectsListOperation,
  },
  {
    name: 'projects add',
    summary: 'Give a folder a name: `--all` and `--projects` ask it too.',
    load: async () => (await import('./setup/projects.ts')).projectsAddOperation,
  },
  {
    name: 'projects remove',
    summary: 'Forget the name of a project; its folder and index stay.',
    load: async () => (await import('./setup/projects.ts')).projectsRemoveOperation,
  },
  {
    name: 'token list',
    summary: 'List the tokens by which callers of your server are recognised.',
    load: async () => (await import('./setup/token.ts')).tokenListOperation,
  },
  {
    name: 'token create',
    summary: 'Make a token for callers of your server; it is shown once.',
    load: async () => (await import('./setup/token.ts')).tokenCreateOperation,
  },
  {
    name: 'token revoke',
    summary: 'Revoke a token of your server at once.',
    load: async () => (await import('./setup/token.ts')).tokenRevokeOperation,
  },
  {
    name: 'config show',
    summary: 'Show every setting with its value and origin.',
    load: async () => (await import('./setup/config.ts')).configOperation,
  },
  {
    name: 'config set',
    summary: 'Change settings in quarry.toml; its comments and order stay.',
    load: async () => (await import('./setup/config.ts')).configSetOperation,
  },
  {
    name: 'doctor',
    summary: 'Check the runtime, the model, the index and the settings.',
    load: async () => (await import('./setup/doctor.ts')).doctorOperation,
  },
  {
    name: 'eval',
    summary: 'Measure how well questions with known answers are answered, and compare settings.',
    load: async () => (await import('./evaluation/eval.ts')).evalOperation,
  },
  {
    name: 'report list',
    summary: 'List the evaluations that are kept with this project.',
    load: async () => (await import('./evaluation/report.ts')).reportListOperation,
  },
  {
    name: 'report show',
    summary: 'Show a kept evaluation.',
    load: async () => (await import('./evaluation/report.ts')).reportShowOperation,
  },
  {
    name: 'report compare',
    summary: 'Compare two kept evaluations question by question.',
    load: async () => (await import('./evaluation/report.ts')).reportCompareOperation,
  },
];

/** The whole operation of an entry. */
export async function loadOperation({ name, summary, load }: OperationEntry): Promise<Operation> {
  // Each body is typed by its own schemas; a surface only renders them.
  return { name, summary, ...((await load()) as OperationBody) };
}

/** All operations, for what renders every one of them. */
export function loadOperations(): Promise<Operation[]> {
  return Promise.all(catalogue.map(loadOperation));
}
