import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { callQuarry } from './quarry-call.ts';
import { quarry as quarryByDefault, startQuarry, testedProgram } from './quarry-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const files = {
  'docs/auth.md':
    '# Sign in\n\nA session token is checked against the vault on each request.\n\n## Log out\n\nThe token is revoked.\n',
  'src/retry.py':
    'def retry_request(call, attempts=3):\n    """Calls again with backoff."""\n    return call()\n',
  '.gitignore': 'private/\n',
  'private/x.md': 'hidden',
};
/** Runs a command where neither the model nor the process is the promise: both cost more than the command. */
const quarry = (place: string, ...words: string[]) => callQuarry(place, words, quick);
const quick = { QUARRY_EMBEDDER_DRIVER: 'hashing', QUARRY_RESOURCES_THREADS: '1' };

let folder: string;
/** The same files, indexed with the settings that a new user has. */
let folderByDefault: string;
/** It waits for half a minute: the other tests run meanwhile. */
let whileAnotherWrites: ReturnType<typeof askWhileAnotherWrites>;
beforeAll(async () => {
  whileAnotherWrites = askWhileAnotherWrites();
  folder = await temporaryFolder(files);
  folderByDefault = await temporaryFolder(files);
});

/** What commands say of an index that another process does not let go. */
async function askWhileAnotherWrites() {
  const place = await temporaryFolder({ 'a.md': 'text' });
  const run = (...words: string[]) => startQuarry(place, words, quick).finished;
  await run('index');
  const { DatabaseSync } = await import('node:sqlite');
  const other = new DatabaseSync(join(place, '.quarry', 'index-1', 'index.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  const indexed = await run('index', '--full');
  await writeFile(join(place, 'b.md'), 'newer text');
  const found = await run('search', 'text');
  other.exec('ROLLBACK');
  other.close();
  return { indexed, found, status: await run('status', '--json') };
}

describe('quarry search', () => {
  test('indexes on first use and prints passages with path, lines, section and relevance', async () => {
    const { code, stdout, stderr } = await quarryByDefault(
      folderByDefault,
      'search',
      'how is a session verified?',
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^1\. docs\/auth\.md:1-\d+ {2}(?:strong|possible) {2}Sign in\n1│# Sign in/);
    expect(stdout).not.toContain('hidden');
  });

  test('prints no colour codes when the output is no terminal', async () => {
    const { stdout, stderr } = await quarry(folder, 'search', 'token');
    expect(stdout + stderr).not.toContain('\u001b[');
  });

  test('takes words without quotes, flags, and filters', async () => {
    const { stdout } = await quarry(
      folder,
      'search',
      'retry',
      'request',
      '--type',
      'code',
      '--top-k',
      '1',
      '--json',
    );
    const result = JSON.parse(stdout);
    expect(result.hits).toHaveLength(1);
    expect(result.hits[0]).toMatchObject({
      path: 'src/retry.py',
      type: 'code',
      symbol: { name: 'retry_request' },
    });
    expect(result.hits[0].trace).toBeUndefined();
  });

  test('explains each stage on request', async () => {
    const { stdout } = await quarry(folder, 'search', 'retry_request', '--explain');
    expect(stdout).toMatch(/^read as a name from code: 30 % vectors, 70 % text\n/);
    expect(stdout).toMatch(/vectors +rank \d+ +cosine 0\.\d/);
    expect(stdout).toMatch(/text +rank 1 +BM25 \d/);
    expect(stdout).toMatch(/together +rank 1 +score \d/);
    expect(stdout).toContain('+0.500  defines what is asked for');
    expect(stdout).toMatch(/in the end +score \d/);
  });

  test('shows text of a document without letting it drive the terminal', async () => {
    const hostile = await temporaryFolder({
      'a.md': 'evil \u001b[2J\u001b]0;title\u0007 text with escape codes',
    });
    const { stdout } = await quarry(hostile, 'search', 'evil text');
    expect(stdout).toContain('evil');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point
    expect(stdout).not.toMatch(/[\u001b\u0007]/);
  });

  test('says when nothing is found, and does not fail', async () => {
    const { code, stdout, stderr } = await quarry(folder, 'search', 'token', '--path', 'absent/**');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('Nothing found.');
  });

  test('says when there is nothing to search', async () => {
    const empty = await temporaryFolder();
    const { code, stdout, stderr } = await quarry(empty, 'search', 'anything');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('There is nothing to search');
  });

  test('takes a query of any length', async () => {
    const { code, stdout } = await quarry(folder, 'search', 'session token '.repeat(5000), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).hits.length).toBeGreaterThan(0);
  });

  test('colours a terminal, unless it is asked not to', async () => {
    const coloured = await startQuarry(folder, ['search', 'token'], { ...quick, FORCE_COLOR: '1' }).finished;
    expect(coloured.stdout).toContain('\u001b[');
    const plain = await startQuarry(folder, ['search', 'token', '--no-color'], { ...quick, FORCE_COLOR: '1' })
      .finished;
    expect(plain.stdout).not.toContain('\u001b[');
  });

  test('shows files with Windows line ends as they are', async () => {
    const windows = await temporaryFolder({ 'a.md': '# Title\r\n\r\nSome words here.\r\n' });
    expect((await quarry(windows, 'search', 'words')).stdout).not.toContain('\ufffd');
  });

  test('without an index and without an update finds nothing and leaves no trace', async () => {
    const place = await temporaryFolder({ 'a.md': 'text' });
    expect((await quarry(place, 'search', 'text', '--no-update')).stdout).toBe('');
    expect((await quarry(place, 'status')).stdout).toMatch(/^Empty in /);
    expect(existsSync(join(place, '.quarry'))).toBe(false);
  });

  test('in a repository does not take the folder around it for the project', async () => {
    const outer = await temporaryFolder({
      'outer.md': 'outer text',
      'clone/.git/HEAD': 'x',
      'clone/sub/inner.md': 'inner text',
    });
    await quarry(outer, 'index');
    const { stdout } = await quarry(join(outer, 'clone', 'sub'), 'search', 'text', '--json');
    expect(JSON.parse(stdout).hits.map(({ path }: { path: string }) => path)).toEqual(['inner.md']);
  });

  test('works from a folder below the project', async () => {
    const below = join(folder, 'src');
    const { stdout } = await quarry(below, 'search', 'session token', '--json');
    expect(JSON.parse(stdout).hits[0].path).toBe('docs/auth.md');
  });
});

describe('quarry index', () => {
  test('prints a summary of files, chunks, skipped with reasons and seconds', async () => {
    const { code, stdout } = await quarry(folder, 'index', '--full');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d files indexed, 0 unchanged, 0 deleted, 0 failed\n\d chunks, 0 embedded/);
    expect(stdout).toMatch(/paths skipped: .*1 ignored/);
    expect(stdout).toMatch(/\d\.\d s, 0\.0 s of it in the model/);
  });

  test('tells events as JSON, one a line, the last being the result', async () => {
    const { stdout } = await quarry(folder, 'index', '--full', '--json');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({ type: 'scan-start' });
    expect(lines.map(({ type }) => type)).toContain('document-indexed');
    expect(lines.at(-1)).toMatchObject({ type: 'result', summary: { documents: { failed: 0 } } });
  });

  test('stopped by Ctrl-C leaves a consistent index with exit code 130, and the next run continues', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `note-${at}.md`,
        `# Note ${at}\n\n${`Sentence ${at} about topic ${at * 7}. `.repeat(20)}`,
      ]),
    );
    const place = await temporaryFolder(many);
    const { child, finished } = startQuarry(place, ['index', '--json']);
    let sent = false;
    child.stdout.on('data', (data) => {
      if (sent || !String(data).includes('vectors-added')) return;
      sent = child.kill('SIGINT');
    });
    expect((await finished).code).toBe(130);
    const status = JSON.parse((await quarryByDefault(place, 'status', '--json')).stdout);
    expect(status.documents).toBe(60);
    expect(status.pending).toBeGreaterThan(0);
    expect(status.pending).toBeLessThan(status.chunks);
    const { stdout } = await quarryByDefault(place, 'index', '--json');
    const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(result.summary.chunks.embedded).toBe(status.pending);
    expect(result.summary.chunks.pending).toBe(0);
  });
});

describe('quarry status', () => {
  test('tells what is indexed, and lists each skipped path with its rule', async () => {
    const { stdout } = await quarry(folder, 'status', '--skipped');
    expect(stdout).toMatch(/^Indexed \d chunks in /);
    expect(stdout).toMatch(/ignored private\/ {2}\.gitignore:1 private\//);
  });

  test('tells the largest topics, what changed last, and with --files each path', async () => {
    const { stdout } = await quarry(folder, 'status');
    expect(stdout).toMatch(/^Largest topics\n {2}\S+ {2}\d+ documents?, \d+ chunks?: /m);
    expect(stdout).toMatch(/^Changed last\n {2}.+ {2}\S+$/m);
    const files = await quarry(folder, 'status', '--files', '--json');
    expect(JSON.parse(files.stdout).entries.length).toBeGreaterThan(1);
  });

  test('says Empty before the first run', async () => {
    expect((await quarry(await temporaryFolder(), 'status')).stdout).toMatch(/^Empty in /);
  });
});

test('quarry config show prints each value with its origin, and hides keys', async () => {
  const place = await temporaryFolder({
    'quarry.toml': '[search]\ntop_k = 9\n[store]\napi_key = "very-secret"\n',
  });
  const { stdout } = await callQuarry(place, ['config', 'show', '--set', 'search.threshold=0.4'], {
    QUARRY_SEARCH_PER_DOCUMENT: '77',
  });
  expect(stdout).toMatch(/search\.top_k\s+= 9 {2}# quarry\.toml/);
  expect(stdout).toMatch(/search\.per_document\s+= 77 {2}# QUARRY_SEARCH_PER_DOCUMENT/);
  expect(stdout).toMatch(/search\.threshold\s+= 0\.4 {2}# command line/);
  expect(stdout).toMatch(/embedder\.driver\s+= "local" {2}# default/);
  expect(stdout).not.toContain('very-secret');
});

test('quarry doctor looks at runtime, project, model and index', async () => {
  const { code, stdout } = await quarryByDefault(folderByDefault, 'doctor');
  expect(code).toBe(0);
  for (const name of ['runtime', 'project', 'model', 'index']) expect(stdout).toContain(`✓ ${name}`);
  expect(stdout).toMatch(/quarry-minilm-l4.*tokens\/s/);
});

describe('help', () => {
  test('lists every command with examples', async () => {
    const { code, stdout } = await quarry(folder, '--help');
    expect(code).toBe(0);
    for (const name of ['search', 'index', 'status', 'config', 'doctor'])
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect(stdout).toContain('quarry search "how are passwords hashed?"');
  });

  test('of a command shows its flags', async () => {
    const { stdout } = await quarry(folder, 'search', '--help');
    expect(stdout).toContain('--top-k N');
    expect(stdout).toContain('--[no-]update');
    expect((await quarry(folder, 'help', 'search')).stdout).toBe(stdout);
  });

  test('prints the version', async () => {
    expect((await quarryByDefault(folder, '--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('mistakes', () => {
  test.each([
    [['serch', 'x'], 2, 'There is no command "serch". (usage-invalid)'],
    [['search'], 2, 'query is missing'],
    [['search', 'x', '--top-k', 'many'], 2, '--top-k'],
    [['search', 'x', '--top_k', '3'], 2, "Unknown option '--top_k'"],
    [['search', 'x', '--since', 'yesterdayish'], 2, '"yesterdayish" is not a date'],
    [['search', ' '], 2, 'The query is empty.'],
    [['index', 'extra'], 2, 'There is no file or folder "extra" in the project.'],
    [['status', 'extra'], 2, 'status takes no word "extra"'],
    [['search', 'x', '--set', 'search.topk=3'], 2, 'Did you mean search.top_k?'],
    [['search', 'x', '--set', 'oops'], 2, '--set oops has no "="'],
    [['search', 'x', '--project', 'nowhere'], 3, 'does not exist'],
    [['search', 'x', '--set', 'store.driver=qdrant'], 2, 'Use one of: sqlite, '],
    [['search', 'x', '--set', 'resources.threads=none'], 2, 'Write a whole number from 1 to 256'],
    [['search', 'x', '--set', 'embedder.driver=tei'], 2, '[embedder] with the driver "tei"'],
  ])('%j exits with %i and says what to do', async (words, code, message) => {
    const result = await quarry(folder, ...words);
    expect(result.stdout).toBe('');
    expect(result.stderr).toContain(message);
    expect(result.code).toBe(code);
  });

  test('are JSON too when JSON is asked for', async () => {
    const { code, stdout } = await quarry(folder, 'search', ' ', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'error',
      code: 'usage-invalid',
      remedy: expect.any(String),
    });
  });

  test('in a cloned project file cannot make it read outside the folder', async () => {
    const place = await temporaryFolder({ 'quarry.toml': '[index]\nroots = ["../"]\n' });
    const { code, stderr } = await quarry(place, 'index');
    expect(code).toBe(2);
    expect(stderr).toContain('(config-invalid)');
  });

  test('nor can it through a link, by whatever name', async () => {
    const outside = await temporaryFolder({ 'secret.md': 'outside' });
    const place = await temporaryFolder({ 'a.md': 'inside' });
    await symlink(outside, join(place, 'link'), 'junction');
    for (const root of ['link', join(place, 'link')]) {
      await writeFile(join(place, 'quarry.toml'), `[index]\nroots = [${JSON.stringify(root)}]\n`);
      expect((await quarry(place, 'index')).stderr).toContain('(config-invalid)');
    }
  });

  test('in a file of a repository cannot drive the terminal', async () => {
    const place = await temporaryFolder({ 'quarry.toml': '"\\u001b[2Jfoo" = 1\n' });
    const { stderr } = await quarry(place, 'index');
    expect(stderr).toContain('foo');
    expect(stderr).not.toContain('\u001b');
  });

  test('an index that another process is writing costs no file its place', async () => {
    const { indexed, found, status } = await whileAnotherWrites;
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('a.md:1') });
    expect(found.stderr).toContain('Another process keeps writing the index');
    expect(indexed.code).toBe(6);
    expect(indexed.stderr).toContain('(store-busy)');
    expect(JSON.parse(status.stdout).failed).toEqual([]);
  });

  test('a damaged index says so and how to repair it', async () => {
    const place = await temporaryFolder({ 'a.md': 'text' });
    await mkdir(join(place, '.quarry', 'index-1'), { recursive: true });
    await writeFile(
      join(place, '.quarry', 'index-1', 'index.sqlite'),
      'this is not a database, it only looks like a file of one',
    );
    const { code, stderr } = await quarry(place, 'search', 'text');
    expect(code).toBe(6);
    expect(stderr).toContain('(store-corrupt)\nRun: quarry repair');
    expect((await quarry(place, 'repair')).code).toBe(0);
    expect((await quarry(place, 'search', 'text')).stdout).toContain('a.md:1');
  });
});

test.skipIf(process.platform === 'win32')(
  'started in a folder that was deleted, a command says so',
  async () => {
    const place = await temporaryFolder();
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" status';
    const env = { PATH: process.env.PATH, HOME: place };
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, testedProgram], {
      cwd: place,
      encoding: 'utf8',
      env,
    });
    expect([status, stderr]).toEqual([
      4,
      expect.stringMatching(/^quarry: The folder .* is not there any more/),
    ]);
  },
);
