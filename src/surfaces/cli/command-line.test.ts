import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { catalogue } from '../../operations/catalogue.ts';
import { runCommandLine } from './command-line.ts';
import { renderedOperations } from './renderers.ts';

let stdout = '';
let stderr = '';
beforeEach(() => {
  stdout = '';
  stderr = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

const hashing = ['--set', 'embedder.driver=hashing', '--no-color'];
const files = {
  'a.md': '# Apples\n\nApples grow on trees.',
  'b.py': 'def pick(tree):\n    return tree\n',
  'c.ts': 'const = = ;\nexport function ripe() { return true; }\n',
  'secret.txt': `token: ${['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')}`,
};

describe('a person sees', () => {
  test.each(catalogue)('the result of $name', async ({ name }) => {
    expect(renderedOperations).toContain(name);
  });

  test('a summary after indexing, with what was degraded and blacked out', async () => {
    const folder = await temporaryFolder(files);
    expect(await runCommandLine(['index', '--project', folder, ...hashing])).toBe(0);
    expect(stdout).toContain('4 files indexed, 0 unchanged, 0 deleted, 0 failed');
    expect(stdout).toContain('1 secret blacked out');
    expect(stdout).toContain('degraded c.ts: Part of the file has syntax errors');
    stdout = '';
    expect(await runCommandLine(['status', '--project', folder, '--skipped', ...hashing])).toBe(0);
    expect(stdout).toMatch(/^Indexed \d chunks in /);
    expect(stdout).toContain('degraded c.ts');
    expect(stdout).toContain('.quarry/');
  });

  test('hits with their places, and the stages on request', async () => {
    const folder = await temporaryFolder(files);
    await runCommandLine(['search', 'where do apples grow', '--project', folder, '--explain', ...hashing]);
    expect(stdout).toMatch(
      /^read as a plain question: .+\n\n1\. a\.md:1-3 {2}(?:strong|possible|weak)\n {3}Apples\n/,
    );
    expect(stdout).toMatch(/\n {3}together {5}rank 1 {3}score \d/);
  });

  test('a long list of files cut short, with the way to all of it', async () => {
    const broken = Object.fromEntries(
      Array.from({ length: 13 }, (_, at) => [`f${at}.ts`, 'const = ;\nexport function f() {}\n']),
    );
    await runCommandLine(['index', '--project', await temporaryFolder(broken), ...hashing]);
    expect(stdout.match(/^degraded f\d+\.ts/gm)).toHaveLength(10);
    expect(stdout).toContain('degraded 3 more (list: quarry status --json)');
  });

  test('settings and checks', async () => {
    const folder = await temporaryFolder();
    await runCommandLine(['config', 'show', '--project', folder, ...hashing]);
    expect(stdout).toMatch(/embedder\.driver\s+= "hashing" {2}# command line/);
    expect(await runCommandLine(['doctor', '--project', folder, ...hashing])).toBe(0);
    expect(stdout).toContain('✓ runtime');
    expect(stdout).toContain('! index    empty');
  });

  test('help for the program, for a command, and for a wrong one', async () => {
    expect(await runCommandLine([])).toBe(2);
    expect(await runCommandLine(['help', 'index'])).toBe(0);
    expect(stdout).toContain('--full');
    expect(await runCommandLine(['help', 'serch'])).toBe(2);
    expect(stderr).toContain('There is no command "serch".');
    stdout = '';
    expect(await runCommandLine(['--no-color', '--help'])).toBe(0);
    expect(stdout).toContain('Usage: quarry');
    expect(await runCommandLine(['--json', '--quiet'])).toBe(2);
    expect(stderr).toContain('No command follows --json');
    expect(await runCommandLine(['--json', 'serch', 'x'])).toBe(2);
    expect(stderr.match(/There is no command "serch"/g)).toHaveLength(2);
  });
});

test('--json as a query does not turn the answer into JSON, also where there is none', async () => {
  expect(await runCommandLine(['search', '--project', 'nowhere', ...hashing, '--', '--json'])).toBe(3);
  expect(stdout).toBe('');
});

describe('a program gets', () => {
  test('results as JSON, and errors too', async () => {
    const folder = await temporaryFolder(files);
    await runCommandLine(['search', 'apples', '--project', folder, '--json', ...hashing]);
    expect(JSON.parse(stdout).hits[0].path).toBe('a.md');
    stdout = '';
    expect(await runCommandLine(['search', 'x', '--project', folder, '--json', '--set', 'nope=1'])).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'error', code: 'config-invalid' });
  });

  test('the floors that an evaluation does not reach on standard error, beside the JSON and exit code 8', async () => {
    const labels = `${JSON.stringify({ text: 'where do apples grow', relevant: ['b.py'] })}\n`;
    const folder = await temporaryFolder({ 'a.md': files['a.md'], 'b.py': files['b.py'] });
    const sets = await temporaryFolder({ 'own.jsonl': labels });
    const words = ['eval', join(sets, 'own.jsonl'), '--project', folder, '--json', ...hashing];
    expect(await runCommandLine([...words, '--floor', 'hit@1=0.5', '--floor', 'recall@50=0'])).toBe(8);
    expect(JSON.parse(stdout).floors).toMatchObject([{ reached: false }, { reached: true }]);
    expect(stderr).toBe('quarry: hit@1 of engine is below the floor: 0.000, asked for 0.5.\n');
    stderr = '';
    expect(await runCommandLine([...words, '--floor', 'hit@1=0'])).toBe(0);
    expect(stderr).toBe('');
  });

  test.each([
    [['--json', 'search', 'apples']],
    [['--json', '--set', 'search.top_k=1', 'search', 'apples']],
    [['--top-k', '1', '--json', 'search', '--', 'apples']],
  ])('the same where flags stand before the command: %j', async (words) => {
    const folder = await temporaryFolder(files);
    expect(await runCommandLine(['--project', folder, ...hashing, ...words])).toBe(0);
    expect(JSON.parse(stdout).hits[0].path).toBe('a.md');
  });

  test('the identity of every chunk from manifest --chunks, by which it is read', async () => {
    const folder = await temporaryFolder(files);
    const words = ['--project', folder, ...hashing];
    await runCommandLine(['index', ...words]);
    stdout = '';
    await runCommandLine(['manifest', '--chunks', ...words]);
    const [, id = ''] = /a\.md .*\n {8}(\S+)\n/.exec(stdout) ?? [];
    stdout = '';
    await runCommandLine(['read', 'a.md', '--chunk', id, ...words]);
    expect(stdout).toContain('Apples grow on trees.');
  });

  test('nothing on standard error when it asks for quiet', async () => {
    const folder = await temporaryFolder(files);
    await runCommandLine(['search', 'apples', '--project', folder, '--quiet', ...hashing]);
    expect(stderr).toBe('');
  });
});
