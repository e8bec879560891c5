import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { callQuarry } from '../../test/quarry-call.ts';
import { startQuarry, testedProgram } from '../../test/quarry-process.ts';
import { sample } from '../../test/samples.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { agents, type InstallScope } from './agents.ts';
import { blockMarks } from './texts.ts';

/** Every file below a folder with its text, but those that Quarry keeps about itself. */
async function filesBelow(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return Object.fromEntries(paths.map((path, at) => [relative(folder, path), texts[at] ?? '']));
}

/** Every folder below one. */
async function foldersBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

async function run(home: string, ...words: string[]) {
  const { code, stdout, stderr } = await callQuarry(home, [...words, '--json'], {
    XDG_CONFIG_HOME: join(home, '.config'),
    // A record of its own, outside of what is compared.
    QUARRY_DATA_FOLDER: `${home}-data`,
  });
  return { code, stderr, results: code === 0 ? JSON.parse(stdout).results : [] };
}

/** The same where a part of it may fail. */
async function runAnyway(home: string, ...words: string[]) {
  const env = { XDG_CONFIG_HOME: join(home, '.config'), QUARRY_DATA_FOLDER: `${home}-data` };
  const { code, stdout } = await callQuarry(home, [...words, '--json'], env);
  return { code, results: JSON.parse(stdout).results };
}

/** Settings as people have them: comments, odd spaces, no end of the last line. */
const theirs = {
  json: '// mine\n{\n    "theme": "dark", // keep\n    "list": [1,\n  2]\n}',
  toml: '# mine\nmodel = "m"   # keep\n\n[tui]\nnotifications=true',
  yaml: 'name:   Local # keep\nrules: [ be brief,\n  keep ]\n',
  md: '# My rules\r\n\r\nBe brief.',
};

const place = (home: string) => ({
  platform: 'linux',
  home,
  folder: home,
  environment: (name: string) => (name === 'XDG_CONFIG_HOME' ? join(home, '.config') : undefined),
});

/** The files of an agent that hold other things too, with what stands in them. */
function existing(name: string, scope: InstallScope, home: string): [string, string][] {
  const agent = agents.find((each) => each.name === name);
  const files: [string | undefined, string][] = agent
    ? [
        [agent.settings.file(scope, place(home)), theirs[agent.settings.format]],
        [agent.instructions?.(scope, place(home)), theirs.md],
        [agent.hook?.(scope, place(home)), theirs.json],
      ]
    : [];
  return files.flatMap(([file, text]): [string, string][] => (file === undefined ? [] : [[file, text]]));
}

const everything = ['--parts', 'mcp', '--parts', 'instructions', '--parts', 'skill', '--parts', 'subagent'];
const cases = agents.flatMap(({ name, settings }) =>
  (['user', 'project'] as const)
    .filter((scope) => settings.file(scope, place('/h')) !== undefined)
    .map((scope) => [name, scope] as const),
);

describe.each(sample(4, cases))('%s, in files of the %s', (name, scope) => {
  test('is set up and left again byte for byte, with files before and without any', async () => {
    for (const isNew of [true, false]) {
      const home = await temporaryFolder({});
      for (const [file, text] of isNew ? [] : existing(name, scope, home)) {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text);
      }
      const before = await filesBelow(home);
      const folders = await foldersBelow(home);
      const set = await run(home, 'install', name, '--scope', scope, ...everything, '--parts', 'hook');
      expect(set.stderr).not.toMatch(/\w-\w+:/);
      const during = await filesBelow(home);
      expect(set.results.length).toBeGreaterThan(0);
      for (const { file, change } of set.results) {
        expect(change).toBe('added');
        expect(during[relative(home, file)]?.toLowerCase()).toContain('quarry');
      }
      for (const [file, text] of Object.entries(before))
        for (const kept of text.match(/mine|keep|be brief|Be brief/g) ?? [])
          expect(during[file]).toContain(kept);
      const again = await run(home, 'install', name, '--scope', scope, ...everything, '--parts', 'hook');
      for (const { change } of again.results) expect(change).toBe('unchanged');
      const gone = await run(home, 'uninstall', name);
      expect(gone.results.map(({ change }: { change: string }) => change)).toEqual(
        set.results.map(() => 'removed'),
      );
      expect(await filesBelow(home)).toEqual(before);
      expect(await foldersBelow(home)).toEqual(folders);
    }
  });
});

test('what is found is set up, with the permissions that a file had, and none of a token or an address', async () => {
  const home = await temporaryFolder({ '.gemini/settings.json': '{\n  "theme": "GitHub" // nice\n}\n' });
  await mkdir(join(home, '.cursor'));
  const file = join(home, '.gemini', 'settings.json');
  await writeFile(file, await readFile(file), { mode: 0o600 });
  const { mode } = await stat(file);
  const { finished } = startQuarry(home, ['install', '--json'], {
    XDG_CONFIG_HOME: join(home, '.config'),
    QUARRY_DATA_FOLDER: `${home}-data`,
    QUARRY_TOKEN: 'quarry_1_secret',
    QUARRY_SERVER: 'https://search.example.com',
  });
  expect((await finished).code).toBe(0);
  const files = await filesBelow(home);
  expect(Object.keys(files).sort()).toEqual([
    '.agents/skills/quarry/SKILL.md',
    '.cursor/mcp.json',
    '.cursor/skills/quarry/SKILL.md',
    '.gemini/GEMINI.md',
    '.gemini/settings.json',
  ]);
  expect(Object.values(files).join()).not.toMatch(/quarry_1_secret|search\.example\.com/);
  expect(parseJson(files['.gemini/settings.json'] ?? '').mcpServers.quarry).toEqual({
    command: process.execPath,
    args: [testedProgram, 'mcp'],
  });
  expect((await stat(file)).mode).toBe(mode);
  const lines = (files['.gemini/GEMINI.md'] ?? '').trimEnd().split('\n');
  expect(lines.at(0)).toBe(blockMarks.first);
  expect(lines.slice(1, -1).length).toBeLessThanOrEqual(4);
});

test('what came into a file meanwhile stays when ours is taken out', async () => {
  const home = await temporaryFolder({ 'AGENTS.md': 'Mine.\n', 'opencode.json': '{\n  "a": 1\n}\n' });
  await run(home, 'install', 'opencode', '--scope', 'project');
  const rules = join(home, 'AGENTS.md');
  await writeFile(rules, `${await readFile(rules, 'utf8')}\nNew below.\n`);
  const settings = join(home, 'opencode.json');
  await writeFile(settings, (await readFile(settings, 'utf8')).replace('"a": 1', '"a": 2'));
  await run(home, 'uninstall');
  expect(await filesBelow(home)).toEqual({
    'AGENTS.md': 'Mine.\n\nNew below.\n',
    'opencode.json': '{\n  "a": 2\n}\n',
  });
});

test('a file that two agents share stays until the last of them is left', async () => {
  const home = await temporaryFolder({});
  await run(home, 'install', 'codex', 'opencode', '--scope', 'project');
  const one = await run(home, 'uninstall', 'codex');
  expect(one.results).toContainEqual(expect.objectContaining({ part: 'instructions', change: 'shared' }));
  expect(await readFile(join(home, 'AGENTS.md'), 'utf8')).toContain(blockMarks.first);
  await run(home, 'uninstall', 'opencode');
  expect(await filesBelow(home)).toEqual({});
});

test('a skill that somebody has changed is kept, and said to be', async () => {
  const home = await temporaryFolder({});
  await run(home, 'install', 'claude-code', '--parts', 'skill');
  const skill = join(home, '.claude/skills/quarry/SKILL.md');
  await writeFile(skill, 'My own words.');
  expect((await run(home, 'uninstall', 'claude-code')).results).toContainEqual(
    expect.objectContaining({ part: 'skill', change: 'kept' }),
  );
  expect(await readFile(skill, 'utf8')).toBe('My own words.');
});

test('what others have in files of a project is left, unless it is asked for', async () => {
  const entry = '{ "mcpServers": { "quarry": { "command": "npx", "args": ["quarry", "mcp"] } } }\n';
  const home = await temporaryFolder({ '.mcp.json': entry });
  await run(home, 'uninstall');
  expect(await readFile(join(home, '.mcp.json'), 'utf8')).toBe(entry);
  await run(home, 'uninstall', '--scope', 'project');
  expect(parseJson(await readFile(join(home, '.mcp.json'), 'utf8'))).toEqual({ mcpServers: {} });
});

test('a link that came with a folder has no file elsewhere written', async () => {
  const home = await temporaryFolder({ 'elsewhere/rules.md': 'Theirs.\n', 'project/a.md': 'x\n' });
  await symlink(join(home, 'elsewhere/rules.md'), join(home, 'project/AGENTS.md'));
  const words = ['install', 'codex', '--scope', 'project', '--folder', 'project', '--parts', 'instructions'];
  const { code, stderr } = await run(home, ...words);
  expect([code, stderr]).toEqual([3, expect.stringContaining('path-outside-root')]);
  expect(await readFile(join(home, 'elsewhere/rules.md'), 'utf8')).toBe('Theirs.\n');
});

test('nothing is changed where a file is broken, or where it is only to be shown', async () => {
  const home = await temporaryFolder({ '.cursor/mcp.json': '{ "mcpServers": ' });
  const { code, stderr } = await run(home, 'install', 'cursor', '--parts', 'mcp');
  expect([code, stderr]).toEqual([2, expect.stringContaining('it was not changed')]);
  expect(await filesBelow(home)).toEqual({ '.cursor/mcp.json': '{ "mcpServers": ' });
  const dry = await run(home, 'install', 'gemini', '--dry-run');
  expect(dry.results.map(({ part }: { part: string }) => part)).toEqual(['mcp', 'instructions', 'skill']);
  expect(Object.keys(await filesBelow(home))).toEqual(['.cursor/mcp.json']);
});

test('the name of the version before sets up the MCP server alone, and says what is new', async () => {
  const home = await temporaryFolder({ '.cursor/mcp.json': '{}' });
  const named = await callQuarry(home, ['mcp', 'install', 'cursor'], {
    QUARRY_DATA_FOLDER: `${home}-data`,
  });
  expect(named.stderr).toContain('"quarry install"');
  expect(Object.keys(await filesBelow(home))).toEqual(['.cursor/mcp.json']);
  await run(home, 'mcp', 'install', 'cursor', '--remove');
  expect(await filesBelow(home)).toEqual({ '.cursor/mcp.json': '{}' });
});

/** What doctor says of agents. A server that a busy machine starts later than agents wait for is called once more, and has its engine then. */
async function agentsOfDoctor(folder: string, environment: Readonly<Record<string, string>>) {
  for (;;) {
    const { stdout } = await startQuarry(folder, ['doctor', '--json'], environment).finished;
    const { checks } = JSON.parse(stdout) as { checks: { name: string; detail: string }[] };
    const found = checks.filter(({ name }) => name === 'agents');
    if (!found.some(({ detail }) => /does not answer: .*timed out/.test(detail))) return found;
  }
}

test('doctor calls the server as an agent would, and starts no other program', async () => {
  const home = await temporaryFolder({
    'app/a.md': '# Locks\n\nA lock is taken once.\n',
    '.cursor/mcp.json': '{}',
    '.continue/config.yaml': 'mcpServers:\n  - null\n  - name: other\n    command: other\n',
  });
  const other = { mcpServers: { quarry: { command: 'touch', args: [join(home, 'started')] } } };
  await mkdir(join(home, '.gemini'));
  await writeFile(join(home, '.gemini/settings.json'), JSON.stringify(other));
  const own = { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), QUARRY_DATA_FOLDER: `${home}-data` };
  await startQuarry(home, ['install', 'cursor', 'continue', '--parts', 'mcp'], own).finished;
  expect(await agentsOfDoctor(join(home, 'app'), own)).toEqual([
    {
      name: 'agents',
      state: 'good',
      detail: expect.stringMatching(/^Continue, Cursor: the server answers with \d+ tools/),
    },
    {
      name: 'agents',
      state: 'bad',
      detail: expect.stringMatching(/^Gemini CLI: .*another program/),
      remedy: expect.any(String),
    },
  ]);
  expect(Object.keys(await filesBelow(home))).not.toContain('started');
});

describe.skipIf(process.platform === 'win32')('doctor in a project that has settings of agents', () => {
  /** What doctor says of agents there; `program` is what the project has as `quarry`. */
  async function checked(folder: string, program: (bin: string) => Promise<void>) {
    const bin = join(folder, 'node_modules/.bin');
    await mkdir(bin, { recursive: true });
    await program(join(bin, 'quarry'));
    return agentsOfDoctor(folder, { HOME: await temporaryFolder() });
  }

  test('calls the server that was set up there', async () => {
    const folder = await temporaryFolder({ 'a.md': '# Locks\n' });
    await startQuarry(folder, ['install', 'claude-code', '--scope', 'project', '--parts', 'mcp']).finished;
    expect(await checked(folder, (bin) => symlink(testedProgram, bin))).toEqual([
      {
        name: 'agents',
        state: 'good',
        detail: expect.stringMatching(/^Claude Code in this project: the server answers with \d+ tools/),
      },
    ]);
  });

  test('starts nothing that a stranger has put there', async () => {
    const ours = { command: 'npx', args: ['--no-install', 'quarry', 'mcp'] };
    const theirs = { command: './run', args: [] };
    const script = '#!/bin/sh\ntouch started\n';
    const folder = await temporaryFolder({
      'a.md': '# Locks\n',
      '.mcp.json': JSON.stringify({ mcpServers: { quarry: ours } }),
      '.cursor/mcp.json': JSON.stringify({ mcpServers: { quarry: theirs } }),
      '.npmrc': 'script-shell=./run\n',
      run: script,
    });
    await chmod(join(folder, 'run'), 0o755);
    const found = await checked(folder, (bin) => writeFile(bin, script, { mode: 0o755 }));
    expect(found).toMatchObject([
      { state: 'note', detail: expect.stringMatching(/^Claude Code in this project: .*not tried$/) },
      { state: 'note', detail: expect.stringMatching(/^Cursor in this project: .*another program/) },
    ]);
    expect(await readdir(folder)).not.toContain('started');
  });
});

test('a file that is not UTF-8 is not touched, and keeps no other agent from being set up', async () => {
  const home = await temporaryFolder({ '.gemini/settings.json': '{}' });
  const latin = Buffer.from('caf\xe9 na\xefve\n', 'latin1');
  await mkdir(join(home, '.claude'));
  await writeFile(join(home, '.claude/CLAUDE.md'), latin);
  const { results } = await runAnyway(home, 'install', 'claude-code', 'gemini');
  const failed = results.filter(({ change }: { change: string }) => change === 'failed');
  expect(failed).toMatchObject([{ part: 'instructions', error: expect.stringContaining('not UTF-8') }]);
  expect(await readFile(join(home, '.claude/CLAUDE.md'))).toEqual(latin);
  expect(await readFile(join(home, '.gemini/GEMINI.md'), 'utf8')).toContain(blockMarks.first);
});

test('a mark of the encoding stays at the beginning of a file, and one that may only be read is left as it is', async () => {
  const marked = '\ufeff{\r\n  "theme": "dark"\r\n}\r\n';
  const home = await temporaryFolder({ '.claude.json': marked, '.claude/CLAUDE.md': '# Mine\n' });
  await chmod(join(home, '.claude/CLAUDE.md'), 0o444);
  const { results } = await runAnyway(home, 'install', 'claude-code');
  const failed = results.filter(({ change }: { change: string }) => change === 'failed');
  expect(failed).toMatchObject([{ part: 'instructions', error: expect.stringContaining('read-only') }]);
  expect(await readFile(join(home, '.claude/CLAUDE.md'), 'utf8')).toBe('# Mine\n');
  const now = await readFile(join(home, '.claude.json'), 'utf8');
  expect(now.startsWith('\ufeff{')).toBe(true);
  expect(parseJson(now.slice(1))).toMatchObject({ theme: 'dark', mcpServers: { quarry: {} } });
  await runAnyway(home, 'uninstall', 'claude-code');
  expect(await readFile(join(home, '.claude.json'), 'utf8')).toBe(marked);
});

test('an entry of the user under our name comes back, and keys that a user adds to ours stay', async () => {
  const own = '{\n  "mcpServers": { "quarry": { "type": "http", "url": "https://mine.example.com" } }\n}\n';
  const home = await temporaryFolder({ '.claude.json': own });
  await run(home, 'install', 'claude-code', '--parts', 'mcp');
  await run(home, 'uninstall');
  expect(await readFile(join(home, '.claude.json'), 'utf8')).toBe(own);
  await run(home, 'install', 'cursor', '--parts', 'mcp');
  const file = join(home, '.cursor/mcp.json');
  const settings = parseJson(await readFile(file, 'utf8'));
  settings.mcpServers.quarry.env = { A: 'b' };
  settings.mcpServers.quarry.command = 'old';
  await writeFile(file, JSON.stringify(settings));
  await run(home, 'install', 'cursor', '--parts', 'mcp');
  expect(parseJson(await readFile(file, 'utf8')).mcpServers.quarry).toMatchObject({
    command: process.execPath,
    env: { A: 'b' },
  });
});

test('a mark without its other one is refused, and nothing between is lost', async () => {
  const text = `# mine\n${blockMarks.first}\nkeep me\n`;
  const home = await temporaryFolder({ '.claude/CLAUDE.md': text });
  for (let time = 0; time < 2; time++) {
    const { code, stderr } = await run(home, 'install', 'claude-code', '--parts', 'instructions');
    expect([code, stderr]).toEqual([2, expect.stringContaining('is missing')]);
  }
  expect(await readFile(join(home, '.claude/CLAUDE.md'), 'utf8')).toBe(text);
});

test("a user's own skill comes back, and one that was changed since is not written over", async () => {
  const home = await temporaryFolder({ '.claude/skills/quarry/SKILL.md': 'My own skill.\n' });
  const skill = join(home, '.claude/skills/quarry/SKILL.md');
  const set = await run(home, 'install', 'claude-code', '--parts', 'skill');
  expect(set.results).toMatchObject([{ change: 'changed' }]);
  await run(home, 'uninstall');
  expect(await readFile(skill, 'utf8')).toBe('My own skill.\n');
  await run(home, 'install', 'claude-code', '--parts', 'skill');
  await writeFile(skill, 'Changed.\n');
  const again = await run(home, 'install', 'claude-code', '--parts', 'skill');
  expect(again.results).toMatchObject([{ change: 'kept' }]);
  expect(await readFile(skill, 'utf8')).toBe('Changed.\n');
});

test('one broken file stops neither setting up nor taking out', async () => {
  const home = await temporaryFolder({});
  await run(home, 'install', 'claude-code', 'continue', 'zed', '--parts', 'mcp');
  await writeFile(join(home, '.continue/config.yaml'), 'a: [');
  const { code, results } = await runAnyway(home, 'uninstall');
  expect(code).toBe(1);
  expect(results.map(({ agent, change }: { agent: string; change: string }) => [agent, change])).toEqual([
    ['claude-code', 'removed'],
    ['continue', 'failed'],
    ['zed', 'removed'],
  ]);
});
