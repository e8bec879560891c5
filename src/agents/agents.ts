import { join } from 'node:path';

/** Where something is set up: for the user everywhere, or in one project. */
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

/** The file of each scope; undefined where there is none. */
export type FileOf = (scope: InstallScope, place: InstallPlace) => string | undefined;

/** An editor or agent that can search with Quarry. */
export interface Agent {
  readonly name: string;
  readonly title: string;
  /** The settings by which it starts servers of the Model Context Protocol. */
  readonly settings: {
    readonly format: 'json' | 'toml' | 'yaml';
    /** Keys down to the table, or list, of servers. */
    readonly keys: readonly string[];
    readonly file: FileOf;
    /** The entry of a server. */
    entry(server: ServerCommand): object;
  };
  /** Whether it names no folder when it starts a server, so that the folder stands in its settings. */
  readonly needsFolder?: true;
  /** The text that it reads with every conversation, its sub-agents too. */
  readonly instructions?: FileOf;
  /** The skill, a text that it reads when a task is about searching. */
  readonly skill?: FileOf;
  /** A sub-agent that searches. */
  readonly subagent?: { readonly file: FileOf; readonly header: 'claude' | 'opencode' };
  /** Settings with commands that it runs when a conversation begins. */
  readonly hook?: FileOf;
}

const plain = ({ command, args }: ServerCommand): object => ({ command, args });
const stdio = ({ command, args }: ServerCommand): object => ({ type: 'stdio', command, args });

/** A file below the home folder for the user, and below the project's for a project. */
const below = (user: readonly string[] | undefined, project: readonly string[] | undefined): FileOf => {
  return (scope, { home, folder }) => {
    const path = scope === 'user' ? user : project;
    return path && join(scope === 'user' ? home : folder, ...path);
  };
};

const agentsFile = ['AGENTS.md'];
/** Where Codex, Gemini CLI, Copilot and OpenCode all look. */
const sharedSkill = ['.agents', 'skills', 'quarry', 'SKILL.md'];

/** Editors and agents in the order of their names. */
export const agents: readonly Agent[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    settings: {
      format: 'json',
      keys: ['mcpServers'],
      file: below(['.claude.json'], ['.mcp.json']),
      entry: stdio,
    },
    instructions: below(['.claude', 'CLAUDE.md'], ['CLAUDE.md']),
    skill: below(['.claude', 'skills', 'quarry', 'SKILL.md'], ['.claude', 'skills', 'quarry', 'SKILL.md']),
    subagent: {
      file: below(['.claude', 'agents', 'quarry-search.md'], ['.claude', 'agents', 'quarry-search.md']),
      header: 'claude',
    },
    hook: below(['.claude', 'settings.json'], ['.claude', 'settings.json']),
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    settings: {
      format: 'json',
      keys: ['mcpServers'],
      file: (scope, place) =>
        scope === 'project'
          ? undefined
          : join(applicationFolder(place), 'Claude', 'claude_desktop_config.json'),
      entry: plain,
    },
    needsFolder: true,
  },
  {
    name: 'codex',
    title: 'Codex',
    settings: {
      format: 'toml',
      keys: ['mcp_servers'],
      file: (scope, place) =>
        scope === 'project'
          ? join(place.folder, '.codex', 'config.toml')
          : join(codexFolder(place), 'config.toml'),
      entry: plain,
    },
    instructions: (scope, place) =>
      scope === 'project' ? join(place.folder, ...agentsFile) : join(codexFolder(place), 'AGENTS.md'),
    skill: below(sharedSkill, sharedSkill),
  },
  {
    name: 'continue',
    title: 'Continue',
    settings: {
      format: 'yaml',
      keys: ['mcpServers'],
      file: below(['.continue', 'config.yaml'], undefined),
      entry: plain,
    },
  },
  {
    name: 'copilot',
    title: 'Copilot CLI',
    settings: {
      format: 'json',
      keys: ['mcpServers'],
      file: (scope, place) =>
        scope === 'project'
          ? join(place.folder, '.github', 'mcp.json')
          : join(copilotFolder(place), 'mcp-config.json'),
      entry: ({ command, args }) => ({ type: 'local', command, args, tools: ['*'] }),
    },
    instructions: (scope, place) =>
      scope === 'project'
        ? join(place.folder, ...agentsFile)
        : join(copilotFolder(place), 'copilot-instructions.md'),
    skill: below(sharedSkill, sharedSkill),
  },
  {
    name: 'cursor',
    title: 'Cursor',
    settings: {
      format: 'json',
      keys: ['mcpServers'],
      file: below(['.cursor', 'mcp.json'], ['.cursor', 'mcp.json']),
      entry: plain,
    },
    instructions: below(undefined, agentsFile),
    skill: below(['.cursor', 'skills', 'quarry', 'SKILL.md'], sharedSkill),
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    settings: {
      format: 'json',
      keys: ['mcpServers'],
      file: below(['.gemini', 'settings.json'], ['.gemini', 'settings.json']),
      entry: plain,
    },
    instructions: below(['.gemini', 'GEMINI.md'], ['GEMINI.md']),
    skill: below(sharedSkill, sharedSkill),
  },
  {
    name: 'kiro',
    title: 'Kiro',
    settings: {
      format: 'json',
      keys: ['mcpServers'],
      file: below(['.kiro', 'settings', 'mcp.json'], ['.kiro', 'settings', 'mcp.json']),
      entry: plain,
    },
    needsFolder: true,
    instructions: below(['.kiro', 'steering', 'AGENTS.md'], agentsFile),
    skill: below(['.kiro', 'skills', 'quarry', 'SKILL.md'], ['.kiro', 'skills', 'quarry', 'SKILL.md']),
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    settings: {
      format: 'json',
      keys: ['mcp'],
      file: (scope, place) =>
        scope === 'project'
          ? join(place.folder, 'opencode.json')
          : join(opencodeFolder(place), 'opencode.json'),
      entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    },
    instructions: (scope, place) =>
      scope === 'project' ? join(place.folder, ...agentsFile) : join(opencodeFolder(place), 'AGENTS.md'),
    skill: below(sharedSkill, sharedSkill),
    subagent: {
      file: (scope, place) =>
        scope === 'project'
          ? join(place.folder, '.opencode', 'agents', 'quarry-search.md')
          : join(opencodeFolder(place), 'agents', 'quarry-search.md'),
      header: 'opencode',
    },
  },
  {
    name: 'vscode',
    title: 'VS Code',
    settings: {
      format: 'json',
      keys: ['servers'],
      file: (scope, place) =>
        scope === 'project'
          ? join(place.folder, '.vscode', 'mcp.json')
          : join(applicationFolder(place), 'Code', 'User', 'mcp.json'),
      entry: stdio,
    },
    instructions: below(undefined, agentsFile),
    skill: below(undefined, sharedSkill),
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    settings: {
      format: 'json',
      keys: ['mcpServers'],
      file: below(['.codeium', 'windsurf', 'mcp_config.json'], undefined),
      entry: plain,
    },
    needsFolder: true,
    instructions: below(undefined, agentsFile),
  },
  {
    name: 'zed',
    title: 'Zed',
    settings: {
      format: 'json',
      keys: ['context_servers'],
      file: (scope, place) => {
        if (scope === 'project') return join(place.folder, '.zed', 'settings.json');
        const { platform } = place;
        if (platform === 'win32') return join(applicationFolder(place), 'Zed', 'settings.json');
        // Zed uses this folder on macOS too.
        return join(configFolder(place), 'zed', 'settings.json');
      },
      entry: ({ command, args }) => ({ source: 'custom', command, args, env: {} }),
    },
    instructions: below(undefined, agentsFile),
  },
];

/** Where applications keep the settings of a user. */
function applicationFolder(place: InstallPlace): string {
  const { platform, home, environment } = place;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return environment('APPDATA') ?? join(home, 'AppData', 'Roaming');
  return configFolder(place);
}

function configFolder({ home, environment }: InstallPlace): string {
  return environment('XDG_CONFIG_HOME') ?? join(home, '.config');
}

function codexFolder({ home, environment }: InstallPlace): string {
  return environment('CODEX_HOME') ?? join(home, '.codex');
}

function copilotFolder({ home, environment }: InstallPlace): string {
  return environment('COPILOT_HOME') ?? join(home, '.copilot');
}

function opencodeFolder(place: InstallPlace): string {
  return join(configFolder(place), 'opencode');
}
