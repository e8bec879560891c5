import { expect, test } from 'vitest';
import { createNotebookExtractor } from './notebook.ts';
import { extractFrom, sampleNotebook, textOf } from './samples.fixture.ts';

const extractor = createNotebookExtractor();

test('gives text cells as they are, code in fences of its language and outputs as text', async () => {
  expect(await extractFrom(extractor, sampleNotebook)).toMatchObject({
    kind: 'text',
    text: [
      '# Churn\nWhy people leave.',
      '```python\nprint(rate)\n```',
      "```output\n0.25\n<Figure>\nKeyError: 'x'\n```",
    ].join('\n\n'),
    chunker: 'markdown',
    title: 'Churn',
    metadata: { kernel: 'python' },
  });
});

test('shortens long outputs', async () => {
  const outputs = [{ output_type: 'stream', text: 'x'.repeat(1_000_000) }];
  const notebook = JSON.stringify({ cells: [{ cell_type: 'code', source: 'x', outputs }] });
  expect(textOf(await extractFrom(extractor, notebook)).length).toBeLessThan(2100);
});

test('cuts a long output between characters', async () => {
  const outputs = [{ output_type: 'stream', text: `x${'🪿'.repeat(5000)}` }];
  const notebook = JSON.stringify({ cells: [{ cell_type: 'code', source: 'x', outputs }] });
  expect(textOf(await extractFrom(extractor, notebook))).toMatch(/🪿\n…/);
});

test('reads the older format with work sheets and heading cells', async () => {
  const cells = [
    { cell_type: 'heading', level: 2, source: 'Old' },
    { cell_type: 'code', input: ['a = 1'], outputs: [] },
  ];
  expect(textOf(await extractFrom(extractor, JSON.stringify({ worksheets: [{ cells }] })))).toBe(
    '## Old\n\n```\na = 1\n```',
  );
});

test('says how many cells cannot be read', async () => {
  const notebook = JSON.stringify({ cells: [null, 7, { cell_type: 'raw', source: 'kept' }] });
  expect(await extractFrom(extractor, notebook)).toMatchObject({
    text: 'kept',
    degraded: '2 cells cannot be read',
  });
});

test('gives a reason for what is no notebook', async () => {
  expect(textOf(await extractFrom(extractor, '[]'))).toBe('unsupported: broken notebook: no object');
  expect(textOf(await extractFrom(extractor, '{}'))).toBe('unsupported: broken notebook: no cells');
  expect(textOf(await extractFrom(extractor, sampleNotebook.slice(0, 50)))).toMatch(
    /^unsupported: broken notebook: ./,
  );
  expect(textOf(await extractFrom(extractor, '['.repeat(200_000)))).toMatch(
    /^unsupported: broken notebook: ./,
  );
  expect(textOf(await extractFrom(extractor, '{"cells":[]}'))).toBe('empty: nothing but white space');
});
