import { posix } from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { agents, type InstallPlace } from './agents.ts';
import { editSettings } from './edit-settings.ts';

const server = { command: '/usr/bin/node', args: ['/opt/quarry/main.js', 'mcp'] };
const place = (platform: string, variables: Record<string, string> = {}): InstallPlace => ({
  platform,
  home: '/home/me',
  folder: '/srv/app',
  environment: (name) => variables[name],
});

describe('the files of clients', () => {
  test.each([
    ['claude-code', 'linux', '.claude.json'],
    ['claude-desktop', 'linux', '.config/Claude/claude_desktop_config.json'],
    ['claude-desktop', 'darwin', 'Library/Application Support/Claude/claude_desktop_config.json'],
    ['claude-desktop', 'win32', 'AppData/Roaming/Claude/claude_desktop_config.json'],
    ['codex', 'linux', '.codex/config.toml'],
    ['codex', 'win32', '.codex/config.toml'],
    ['continue', 'darwin', '.continue/config.yaml'],
    ['copilot', 'darwin', '.copilot/mcp-config.json'],
    ['cursor', 'linux', '.cursor/mcp.json'],
    ['kiro', 'win32', '.kiro/settings/mcp.json'],
    ['opencode', 'linux', '.config/opencode/opencode.json'],
    ['gemini', 'darwin', '.gemini/settings.json'],
    ['vscode', 'linux', '.config/Code/User/mcp.json'],
    ['vscode', 'darwin', 'Library/Application Support/Code/User/mcp.json'],
    ['vscode', 'win32', 'AppData/Roaming/Code/User/mcp.json'],
    ['windsurf', 'linux', '.codeium/windsurf/mcp_config.json'],
    ['zed', 'darwin', '.config/zed/settings.json'],
    ['zed', 'win32', 'AppData/Roaming/Zed/settings.json'],
  ])('%s on %s: %s', (name, platform, file) => {
    const client = agents.find((each) => each.name === name);
    expect(client?.settings.file('user', place(platform))).toBe(posix.join('/home/me', file));
  });

  test('follow the variables of the platform and of the client', () => {
    const file = (name: string, platform: string, variables: Record<string, string>) =>
      agents.find((each) => each.name === name)?.settings.file('user', place(platform, variables));
    expect(file('vscode', 'linux', { XDG_CONFIG_HOME: '/x' })).toBe('/x/Code/User/mcp.json');
    expect(file('codex', 'linux', { CODEX_HOME: '/c' })).toBe('/c/config.toml');
    expect(file('claude-desktop', 'win32', { APPDATA: '/roaming' })).toBe(
      '/roaming/Claude/claude_desktop_config.json',
    );
  });

  test('in a project lie in the project, where the client has such', () => {
    const files = agents.map(({ name, settings }) => [name, settings.file('project', place('linux'))]);
    expect(Object.fromEntries(files)).toEqual({
      'claude-code': '/srv/app/.mcp.json',
      'claude-desktop': undefined,
      codex: '/srv/app/.codex/config.toml',
      continue: undefined,
      copilot: '/srv/app/.github/mcp.json',
      cursor: '/srv/app/.cursor/mcp.json',
      gemini: '/srv/app/.gemini/settings.json',
      kiro: '/srv/app/.kiro/settings/mcp.json',
      opencode: '/srv/app/opencode.json',
      vscode: '/srv/app/.vscode/mcp.json',
      windsurf: undefined,
      zed: '/srv/app/.zed/settings.json',
    });
  });
});

const existing: Readonly<Record<string, string>> = {
  json: '// mine\n{\n    "theme": "dark", // keep\n    "KEY": {\n        "other": { "command": "x" },\n    },\n}\n',
  toml: '# mine\nmodel = "m" # keep\n\n[KEY.other] # another\ncommand = "x"\n\n[tui]\nnotifications = true\n',
  yaml: '# mine\nname: Local # keep\nKEY:\n  # another\n  - name: other\n    command: x\nrules:\n  - be brief\n',
};

describe.each(agents.map(({ name, settings }) => [name, settings] as const))(
  'settings of %s',
  (_, client) => {
    const key = client.keys[0] ?? '';
    const before = (existing[client.format] ?? '').replaceAll('KEY', key);
    const parse = { json: (text: string) => parseJson(text), toml: parseToml, yaml: parseYaml }[
      client.format
    ];
    const entryIn = (text: string) => {
      const servers = (parse(text) as Record<string, unknown>)[key];
      return client.format === 'yaml'
        ? (servers as { name: string }[])?.find(({ name }) => name === 'quarry')
        : (servers as Record<string, unknown> | undefined)?.quarry;
    };

    test.each([
      ['an empty file', ''],
      ['settings of others', before],
    ])('take our entry into %s, keep everything else, and are the same after a second time', (__, text) => {
      const once = editSettings(text, client, client.entry(server));
      expect(entryIn(once)).toMatchObject(client.entry(server));
      for (const kept of ['# mine', '// mine', 'keep', 'other', 'another', 'theme', 'be brief'])
        if (text.includes(kept)) expect(once).toContain(kept);
      expect(editSettings(once, client, client.entry(server))).toBe(once);
    });

    test('replace a previous entry of ours, and give it back', () => {
      const old = editSettings(before, client, client.entry({ command: 'old', args: ['a'] }));
      const now = editSettings(old, client, client.entry(server));
      expect(entryIn(now)).toMatchObject(client.entry(server));
      expect(now).not.toContain('"old"');
      const gone = editSettings(now, client, undefined);
      expect(entryIn(gone)).toBeUndefined();
      expect(parse(gone)).toEqual(parse(before));
      expect(gone).toContain('keep');
      expect(editSettings(gone, client, undefined)).toBe(gone);
    });

    test('that cannot be understood are refused', () => {
      const broken = { json: '{ "a": ', toml: 'a = = 1', yaml: 'a: [' }[client.format];
      expect(() => editSettings(broken, client, client.entry(server))).toThrow(/./);
    });
  },
);

/** Settings with a previous entry of ours, as a person writes them. */
const crowded: Readonly<Record<string, string>> = {
  toml: `# mine
model = "m" # keep
[KEY.quarry]
command = "old"   # ours

# another
[KEY.other] # another
command = """
[KEY.quarry]
"""


[tui]
notifications=true
# keep`,
  yaml: `# mine
name:   'Local' # keep
prompt: ${'a long line '.repeat(12)}end
KEY:
    # another
    -   name: other
        command: "x"
    - name: quarry
      command: old
    # behind

rules: [ be brief,
  keep ]
`,
};

describe.each(['\n', '\r\n'])('settings with the line end %j', (newline) => {
  test.each(
    agents
      .filter(({ settings }) => settings.format !== 'json')
      .map(({ name, settings }) => [name, settings] as const),
  )('of %s keep every line that is not ours, byte for byte', (_, client) => {
    const text = (crowded[client.format] ?? '')
      .replaceAll('KEY', client.keys[0] ?? '')
      .replaceAll('\n', newline);
    const ours = /quarry\]|command.*old|# ours|name: quarry|^args|args:|- \/opt|- mcp$|\/usr\/bin/;
    const others = (all: string) =>
      all
        .split('\n')
        .filter((line) => !ours.test(line.trimEnd()))
        .join('\n');
    const now = editSettings(text, client, client.entry(server));
    expect(others(now)).toBe(others(text));
    expect(others(editSettings(text, client, undefined))).toBe(others(text));
  });
});

describe('a list that is not written as lines', () => {
  const yaml = agents.find(({ settings }) => settings.format === 'yaml')?.settings;
  const around = (list: string) =>
    `# mine\nname: Local # keep\n${yaml?.keys[0]}:${list}\n# behind\nrules: [be brief]\n`;

  test.each([
    ['in brackets', ' [{name: other, command: x}] # theirs'],
    ['with a comma at its end', ' [{name: other, command: x}, ] # theirs'],
    ['empty', ' [] # theirs'],
    ['without a value', ' # theirs'],
    ['null', ' null # theirs'],
  ])('%s gets our entry and gives it back, and nothing else changes', (_, list) => {
    if (!yaml) throw new TypeError('no agent has settings in YAML');
    const text = around(list);
    const now = editSettings(text, yaml, yaml.entry(server));
    for (const kept of ['# mine', '# keep', '# theirs', '# behind', 'rules: [be brief]'])
      expect(now).toContain(kept);
    expect(JSON.stringify(parseYaml(now))).toContain('mcp');
    expect(editSettings(now, yaml, yaml.entry(server))).toBe(now);
    const gone = editSettings(now, yaml, undefined);
    expect(gone).toContain('# theirs');
    expect(parseYaml(gone)?.rules).toEqual(['be brief']);
    expect(JSON.stringify(parseYaml(gone))).not.toContain('mcp"');
  });

  test('that cannot be changed without the rest is refused', () => {
    if (!yaml) throw new TypeError('no agent has settings in YAML');
    const shared = `base: &list\n  - name: other\n${yaml.keys[0]}: *list\n`;
    expect(() => editSettings(shared, yaml, yaml.entry(server))).toThrow(/.+/);
  });
});
