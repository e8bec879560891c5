import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import type { Chunker, ChunkLimits } from '../../contracts/chunker.ts';
import type { Document } from '../../core/document.ts';
import { documentRecord } from '../../testing/documents.ts';
import { createCharactersChunker } from './characters.ts';
import { createLineChunker } from './line-chunker.ts';
import { createMarkdownChunker } from './markdown/markdown.ts';
import { createProseChunker } from './prose.ts';

const countTokens = (text: string) => text.match(/\w+|[^\w\s]/g)?.length ?? 0;
const limits: ChunkLimits = { minTokens: 10, targetTokens: 40, maxTokens: 50, overlapTokens: 0, countTokens };
const documentOf = (text: string, title = 'file.md'): Document => ({
  ...documentRecord('docs/file.md'),
  title,
  text,
});

async function cut(chunker: Chunker, text: string, changes: Partial<ChunkLimits> = {}, title?: string) {
  const { drafts } = await chunker.chunk(documentOf(text, title), { ...limits, ...changes });
  return drafts.map((draft) => ({ ...draft, text: text.slice(draft.start, draft.end) }));
}
const words = (count: number, word = 'word') =>
  Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ');

describe('Markdown', () => {
  const chunker = createMarkdownChunker();

  test('is cut at headings, each section with its heading path', async () => {
    const text = `# Guide\n\n${words(20)}\n\n## Install\n\n${words(20)}\n\n### Linux\n\n${words(20)}\n\n## Use\n\n${words(20)}\n`;
    const chunks = await cut(chunker, text);
    expect(chunks.map(({ section }) => section)).toEqual([
      'Guide',
      'Guide > Install',
      'Guide > Install > Linux',
      'Guide > Use',
    ]);
    expect(chunks[1]?.text.startsWith('## Install')).toBe(true);
  });

  test('puts the title before the heading path unless it is the first heading or only the file name', async () => {
    const text = `## Part\n\n${words(20)}`;
    expect((await cut(chunker, text, {}, 'The Book'))[0]?.header).toBe('The Book > Part');
    expect((await cut(chunker, text, {}, 'file.md'))[0]?.header).toBe('Part');
    expect((await cut(chunker, `# The Book\n\n${words(20)}`, {}, 'The Book'))[0]?.header).toBe('The Book');
  });

  test('merges stubs with their neighbour and names them after the larger part', async () => {
    const chunks = await cut(chunker, `# Title\n\n## Real content\n\n${words(20)}\n\n## Stub\n\nshort`);
    expect(chunks).toHaveLength(1);
    expect(chunks[0]?.section).toBe('Title > Real content');
  });

  test('merges a title with one line into a neighbour up to the maximum, after it or before it', async () => {
    const sections = async (...sizes: number[]) =>
      (await cut(chunker, sizes.map((size, at) => `# Part ${at}\n\n${words(size)}`).join('\n\n'))).map(
        ({ section }) => section,
      );
    // With its heading, each is three larger.
    expect(await sections(5, 38)).toEqual(['Part 1']);
    expect(await sections(38, 5)).toEqual(['Part 0']);
    expect(await sections(38, 5, 45)).toEqual(['Part 0', 'Part 2']);
    expect(await sections(45, 5, 45)).toEqual(['Part 0', 'Part 1', 'Part 2']);
  });

  test('reads underlined headings, closing marks, and marks inside a heading', async () => {
    const text = `Top\n===\n\n${words(20)}\n\nSecond [link](x)\n---\n\n${words(20)}\n\n### \`code\` **bold** ###\n\n${words(20)}`;
    expect((await cut(chunker, text)).map(({ section }) => section)).toEqual([
      'Top',
      'Top > Second link',
      'Top > Second link > code bold',
    ]);
  });

  test('takes no comment inside a fence for a heading', async () => {
    const text = `# Real\n\n${words(12)}\n\n\`\`\`sh\n# not a heading\nrun\n\`\`\`\n\n~~~\n## nor this\n~~~\n`;
    expect(new Set((await cut(chunker, text)).map(({ section }) => section))).toEqual(new Set(['Real']));
  });

  test('keeps fences and tables whole above the maximum', async () => {
    const fence = `\`\`\`js\n${Array.from({ length: 30 }, (_, at) => `call(${at});`).join('\n')}\n\`\`\``;
    const rows = Array.from({ length: 30 }, (_, at) => `| a${at} | b${at} |`).join('\n');
    const table = `| x | y |\n| --- | --- |\n${rows}`;
    const chunks = await cut(chunker, `# T\n\n${words(30)}\n\n${fence}\n\n${words(30)}\n\n${table}\n`);
    expect(chunks.some(({ text }) => text.includes(fence))).toBe(true);
    expect(chunks.some(({ text }) => text.includes(table))).toBe(true);
  });

  const code = Array.from({ length: 12 }, (_, at) => (at % 3 === 2 ? '' : `call(${at}, other);`));
  const indented = (before: string) => code.map((line) => (line === '' ? '' : before + line)).join('\n');
  test.each([
    ['in a list', `    \`\`\`js\n${indented('    ')}\n    \`\`\``],
    ['after the mark of a list item', `- ~~~js\n${indented('  ')}\n  ~~~`],
    ['deep in a list', `\t\t\`\`\`\n${indented('\t\t')}\n\t\t\`\`\``],
    ['in a quote', `> \`\`\`\n${code.map((line) => `> ${line}`).join('\n')}\n> \`\`\``],
    ['of tildes', `~~~\n${code.join('\n')}\n~~~`],
    ['around a fence', `\`\`\`\`md\n\`\`\`js\n${code.join('\n')}\n\`\`\`\n\`\`\`\``],
    [
      'that is a table after its sentence',
      `All of them:\n| x | y |\n|---|---|\n${'| a. b | c. d |\n'.repeat(9)}`.trim(),
    ],
  ])('never cuts a fence %s', async (_, fence) => {
    for (const count of [5, 25, 45]) {
      const text = `# T\n\n1. ${words(count)}.\n\n${fence}\n\n2. ${words(count)}.\n`;
      const inner = fence.startsWith('All') ? fence.slice(fence.indexOf('|')) : fence;
      expect((await cut(chunker, text)).filter((chunk) => chunk.text.includes(inner.trim()))).toHaveLength(1);
    }
  });

  test('takes a list item that shows an opening fence and no end for text', async () => {
    const chunks = await cut(chunker, `# A\n\n- \`\`\`js\n\n${words(30)}\n\n# B\n\n${words(30)}\n`);
    expect(chunks.map(({ section }) => section)).toEqual(['A', 'B']);
  });

  test('leaves no heading alone: it stays with what it introduces', async () => {
    const fence = `\`\`\`js\n${Array.from({ length: 30 }, (_, at) => `call(${at});`).join('\n')}\n\`\`\``;
    const text = `# A\n\n${words(30)}\n\n# B\n\n## C\n\n${words(36)}\n\n## D\n\n${fence}\n\n## E\n\nRun this:\n\n${fence}\n\n## F\n\n${words(49)}\n`;
    const chunks = await cut(chunker, text);
    expect(chunks.map(({ section, text: part }) => [section, part.split('\n')[0]])).toEqual([
      ['A', '# A'],
      ['B > C', '# B'],
      ['B > D', '## D'],
      ['B > E', '## E'],
      ['B > F', '## F'],
    ]);
  });

  test('cuts a long section between paragraphs and long paragraphs between sentences', async () => {
    const paragraph = (name: string) => `${words(24, name)}.`;
    const chunks = await cut(chunker, `# S\n\n${['a', 'b', 'c', 'd'].map(paragraph).join('\n\n')}`);
    expect(chunks.length).toBeGreaterThan(1);
    for (const { text, section } of chunks) {
      expect(section).toBe('S');
      expect(text).toMatch(/\.$/);
      expect(countTokens(text)).toBeLessThanOrEqual(50);
    }
  });

  test('keeps front matter in the first chunk', async () => {
    const chunks = await cut(chunker, `---\ntitle: X\n---\n\n# Heading\n\n${words(20)}`);
    expect(chunks[0]?.text).toContain('title: X');
  });
});

describe('prose', () => {
  const chunker = createProseChunker();

  test('is cut between paragraphs into pieces of even size', async () => {
    const chunks = await cut(
      chunker,
      Array.from({ length: 6 }, (_, at) => words(15, `p${at}x`)).join('\n\n'),
    );
    expect(chunks.map(({ text }) => countTokens(text))).toEqual([30, 30, 30]);
  });

  test('repeats whole sentences of the last piece where overlap is asked for', async () => {
    const text = Array.from({ length: 8 }, (_, at) => `Sentence number ${at} says this and that.`).join(' ');
    const chunks = await cut(chunker, text, { overlapTokens: 9 });
    expect(chunks.length).toBeGreaterThan(1);
    for (const [at, chunk] of chunks.entries()) {
      const before = chunks[at - 1];
      if (!before) continue;
      expect(chunk.start).toBeLessThan(before.end);
      expect(before.text).toContain(text.slice(chunk.start, before.end).trim());
    }
  });

  test('cuts a word without any boundary by its length, never inside a surrogate pair', async () => {
    const byLength = { countTokens: (text: string) => Math.ceil(text.length / 4) };
    const chunks = await cut(chunker, '🙂'.repeat(500), byLength);
    expect(chunks.length).toBeGreaterThan(3);
    for (const { text } of chunks) expect(text.isWellFormed()).toBe(true);
  });
});

describe('characters', () => {
  test.each([
    ['', []],
    ['short', ['short']],
    ['abcdefghij', ['abcde', 'defgh', 'ghij']],
  ])('of %j are %j', async (text, expected) => {
    const chunks = await cut(createCharactersChunker({ size: 5, overlap: 2 }), text);
    expect(chunks.map((chunk) => chunk.text)).toEqual(expected);
  });

  test('are 1000 with an overlap of 200 by default', async () => {
    const chunks = await cut(createCharactersChunker(), 'x'.repeat(2500));
    expect(chunks.map(({ start, end }) => [start, end])).toEqual([
      [0, 1000],
      [800, 1800],
      [1600, 2500],
    ]);
  });
});

describe('every chunker', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      '',
      '# Heading',
      '## Sub',
      '```',
      '~~~',
      '| a | b |',
      '| --- | --- |',
      '---',
      '===',
      '- item',
      '    code',
      '> quote',
    ),
    fc
      .array(fc.constantFrom('alpha', 'beta', 'gamma.', '🙂', '日本', 'x'.repeat(70)), { maxLength: 30 })
      .map((list) => list.join(' ')),
  );
  const text = fc
    .array(line, { maxLength: 60 })
    .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end)));

  test.each([
    ['Markdown', createMarkdownChunker()],
    ['prose', createProseChunker()],
    ['lines', createLineChunker()],
    ['characters', createCharactersChunker({ size: 50, overlap: 10 })],
  ])('%s keeps everything that is not white space, in order and in bounds', async (_, chunker) => {
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const chunks = await cut(chunker, content);
        let covered = 0;
        for (const { start, end } of chunks) {
          expect(end).toBeGreaterThan(start);
          expect(content.slice(covered, start).trim()).toBe('');
          covered = Math.max(covered, end);
        }
        expect(content.slice(covered).trim()).toBe('');
      }),
      { numRuns: draws(300) },
    );
  });
});
