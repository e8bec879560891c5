import { catalogue, type OperationEntry } from '../../../operations/catalogue.ts';

/** Everything the command line offers: the operations, and what starts and ends the program's other ways to be asked. */
export const commands: readonly OperationEntry[] = [
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
    name: 'mcp install',
    summary: 'Set up editors and agents to search with Quarry.',
    load: async () => (await import('../../mcp/install/command.ts')).mcpInstallCommand,
  },
  {
    name: 'stop',
    summary: 'End the engine that keeps projects open.',
    load: async () => (await import('../../http/stop.ts')).stopCommand,
  },
];
