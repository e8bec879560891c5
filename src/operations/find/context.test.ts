import { beforeAll, describe, expect, test } from 'vitest';
import { callQuarry } from '../../../test/quarry-call.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

const quick = { QUARRY_EMBEDDER_DRIVER: 'hashing', QUARRY_RESOURCES_THREADS: '1' };
let folder: string;
const run = (...words: string[]) => callQuarry(folder, ['context', ...words], quick);

beforeAll(async () => {
  folder = await temporaryFolder({
    'notes/tea.md': '# Tea\n\nGreen tea is steeped for two minutes.\n',
    'rules.md': 'Warm the pot first.\n',
  });
});

describe('quarry context', () => {
  test('writes the block alone to standard output, ready to be piped', async () => {
    const { code, stdout } = await run('how', 'long', 'is', 'green', 'tea', 'steeped?', '--no-fence');
    expect(code).toBe(0);
    expect(stdout).toBe(
      '[RETRIEVED CONTEXT]\nFile: notes/tea.md (chunk 0)\n# Tea\n\nGreen tea is steeped for two minutes.\n',
    );
  });

  test.each([
    ['memory', /^<working_memory>\n\[Source: notes\/tea\.md \| Type: note \| Relevance: \d\.\d\d\]\n/],
    [
      'sources',
      /^Context:\n\[Source 1\]\nTitle: Tea\nContent: .*\n\nQuestion: green tea\n\nInstructions:\n/s,
    ],
    ['markdown', /^## Retrieved context\n\n### 1\. notes\/tea\.md:1-3\n/],
  ])('writes it in the format %s', async (format, expected) => {
    const { stdout } = await run('green tea', '--format', format, '--no-fence');
    expect(stdout).toMatch(expected);
  });

  test('has the block and its sources as data', async () => {
    const { stdout } = await run('green tea', '--manual', 'rules.md', '--json');
    const { text, sources, left } = JSON.parse(stdout);
    expect(text).toMatch(
      /=== BEGIN DATA [0-9a-f]{16} ===\n\[RETRIEVED CONTEXT\]\nFile: rules\.md\nWarm the pot first\.\nFile: notes/,
    );
    expect(sources).toMatchObject([
      { number: 1, path: 'rules.md', citation: 'rules.md' },
      { number: 2, path: 'notes/tea.md', citation: 'notes/tea.md:1-3', lines: [1, 3] },
    ]);
    expect(left).toBe(0);
  });

  test('says on standard error that nothing passes, and writes nothing', async () => {
    const { code, stdout, stderr } = await run('green tea', '--threshold', '1');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('Nothing in this project passes the threshold');
  });
});
