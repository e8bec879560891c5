import { join } from 'node:path';

/** Where a client keeps its settings: for the user everywhere, or in one project. */
export type InstallScope = 'user' | 'project';

/** How the server is started. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What decides where files are. */
export interface InstallPlace {
  readonly platform: string;
  readonly home: string;
  /** The project's folder. */
  readonly folder: string;
  environment(name: string): string | undefined;
}

/** A program that can start MCP servers. */
export interface McpClient {
  readonly name: string;
  readonly title: string;
  readonly format: 'json' | 'toml' | 'yaml';
  /** Keys down to the table, or list, of servers. */
  readonly keys: readonly string[];
  /** Whether it names no folder when it starts a server, so that the folder stands in its settings. */
  readonly needsFolder?: true;
  /** The file of each scope; undefined where the client has none. */
  file(scope: InstallScope, place: InstallPlace): string | undefined;
  /** The entry of a server. */
  entry(server: ServerCommand): object;
}

const plain = ({ command, args }: ServerCommand): object => ({ command, args });

/** Clients in the order of their names. */
export const mcpClients: readonly McpClient[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    format: 'json',
    keys: ['mcpServers'],
    file: (scope, { home, folder }) =>
      scope === 'project' ? join(folder, '.mcp.json') : join(home, '.claude.json'),
    entry: ({ command, args }) => ({ type: 'stdio', command, args }),
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    keys: ['mcpServers'],
    needsFolder: true,
    file: (scope, place) =>
      scope === 'project'
        ? undefined
        : join(applicationFolder(place), 'Claude', 'claude_desktop_config.json'),
    entry: plain,
  },
  {
    name: 'codex',
    title: 'Codex',
    format: 'toml',
    keys: ['mcp_servers'],
    file: (scope, { home, folder, environment }) =>
      scope === 'project'
        ? join(folder, '.codex', 'config.toml')
        : join(environment('CODEX_HOME') ?? join(home, '.codex'), 'config.toml'),
    entry: plain,
  },
  {
    name: 'continue',
    title: 'Continue',
    format: 'yaml',
    keys: ['mcpServers'],
    file: (scope, { home }) => (scope === 'project' ? undefined : join(home, '.continue', 'config.yaml')),
    entry: plain,
  },
  {
    name: 'cursor',
    title: 'Cursor',
    format: 'json',
    keys: ['mcpServers'],
    file: (scope, { home, folder }) => join(scope === 'project' ? folder : home, '.cursor', 'mcp.json'),
    entry: plain,
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    keys: ['mcpServers'],
    file: (scope, { home, folder }) => join(scope === 'project' ? folder : home, '.gemini', 'settings.json'),
    entry: plain,
  },
  {
    name: 'vscode',
    title: 'VS Code',
    format: 'json',
    keys: ['servers'],
    file: (scope, place) =>
      scope === 'project'
        ? join(place.folder, '.vscode', 'mcp.json')
        : join(applicationFolder(place), 'Code', 'User', 'mcp.json'),
    entry: ({ command, args }) => ({ type: 'stdio', command, args }),
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    format: 'json',
    keys: ['mcpServers'],
    needsFolder: true,
    file: (scope, { home }) =>
      scope === 'project' ? undefined : join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    entry: plain,
  },
  {
    name: 'zed',
    title: 'Zed',
    format: 'json',
    keys: ['context_servers'],
    file: (scope, place) => {
      if (scope === 'project') return join(place.folder, '.zed', 'settings.json');
      const { platform, home, environment } = place;
      if (platform === 'win32') return join(applicationFolder(place), 'Zed', 'settings.json');
      // Zed uses this folder on macOS too.
      return join(environment('XDG_CONFIG_HOME') ?? join(home, '.config'), 'zed', 'settings.json');
    },
    entry: ({ command, args }) => ({ source: 'custom', command, args, env: {} }),
  },
];

/** Where applications keep the settings of a user. */
function applicationFolder({ platform, home, environment }: InstallPlace): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return environment('APPDATA') ?? join(home, 'AppData', 'Roaming');
  return environment('XDG_CONFIG_HOME') ?? join(home, '.config');
}
