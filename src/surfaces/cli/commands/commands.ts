import { catalogue, type OperationEntry } from '../../../operations/catalogue.ts';

/** Everything the command line performs: the operations, and what starts and ends the program's other ways to be asked. */
export const performed: readonly OperationEntry[] = [
  ...catalogue,
  {
    name: 'serve',
    summary: 'Keep projects open and answer for them over a socket and HTTP, until stopped.',
    load: async () => (await import('../../http/serve.ts')).serveCommand,
  },
  {
    name: 'ui',
    summary: 'Open the page of Quarry in your browser: search, status, settings.',
    load: async () => (await import('../../http/ui.ts')).uiCommand,
  },
  {
    name: 'mcp',
    summary: 'Let an editor or agent search: answer it over its standard streams.',
    load: async () => (await import('../../mcp/command.ts')).mcpCommand,
  },
  {
    name: 'install',
    summary: 'Set up editors and agents to search with Quarry.',
    load: async () => (await import('../../../operations/setup/install.ts')).installOperation,
  },
  {
    name: 'uninstall',
    summary: 'Remove from editors and agents exactly what was set up.',
    load: async () => (await import('../../../operations/setup/install.ts')).uninstallOperation,
  },
  {
    name: 'receipt',
    summary: 'Show how much text answers gave, compared with the files they name.',
    load: async () => (await import('../../../operations/setup/receipt.ts')).receiptOperation,
  },
  {
    name: 'mcp install',
    summary: 'Set up editors and agents to search with Quarry.',
    command: 'install',
    load: async () => (await import('../../../operations/setup/install.ts')).mcpInstallOperation,
  },
  {
    name: 'stop',
    summary: 'End the engine that keeps projects open.',
    load: async () => (await import('../../http/stop.ts')).stopCommand,
  },
];

/** The commands that are shown: the others are flags of one of these, or names of the version before. */
export const commands: readonly OperationEntry[] = performed.filter(({ command }) => command === undefined);

/** An operation that a flag of a command asks for. */
export interface FlagCommand {
  /** `--all`. */
  readonly flag: string;
  readonly entry: OperationEntry;
}

/** The flags of a command that ask for another operation. */
export function flagCommands(name: string): FlagCommand[] {
  return performed.flatMap((entry) => {
    const [, of, flag = ''] = /^(\S+) (--\S+)$/.exec(entry.command ?? '') ?? [];
    return of === name ? [{ flag, entry }] : [];
  });
}

/** An operation as it is asked for: `clean --all`. */
export function lineOf({ name }: Pick<OperationEntry, 'name'>): string {
  return performed.find((entry) => entry.name === name)?.command ?? name;
}
