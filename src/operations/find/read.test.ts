import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { z } from 'zod';
import { draws } from '../../../test/property-draws.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import { resultOf } from '../../platform/streams.ts';
import { openProject } from '../../project/open-project.ts';
import { readOperation } from './read.ts';

const method = (name: string, lines: number) =>
  `  ${name}() {\n${Array.from({ length: lines }, (_, at) => `    this.${name}${at} = compute(${at}, '${name}');`).join('\n')}\n  }\n`;
const classText = `/** Keeps boxes. */\nexport class Shelf {\n${['put', 'take', 'count', 'sort'].map((name) => method(name, 30)).join('\n')}}\n`;
const code = `import { compute } from './compute.js';\n\n${classText}\nexport function small(one, two) {\n  return one + two;\n}\n`;
const prose = Array.from({ length: 80 }, (_, at) => `Line ${at + 1} tells of the harbour.`).join('\n\n');

let project: Project;
let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder({
    'src/shelf.js': code,
    'src/deep/other.js': 'export function small() {\n  return 3;\n}\n',
    'docs/harbour.md': `# Harbour\n\n${prose}\n`,
    'far.txt': `${`${'The tide comes and goes. '.repeat(12)}\n`.repeat(1200)}The umbrella belongs to Ada.\n`,
    'docs/windows.md': 'one\r\n\r\ntwo\r\n\r\nthree\r\n',
    'page.html': `<html><body>${'<p>A paragraph about ferries.</p>\n'.repeat(30)}</body></html>`,
    'docs/two\nlines\u202e.md': '# Two\n\nA name that no line can hold.\n',
    'src/pier.h': `/** Docks a ship. */\nextern int dock(int berth);\n`,
    'src/pier.c': `#include "pier.h"\n\nstatic int dock(int);\nstatic int leave(int);\n\nint dock(int berth) {\n  leave(berth);\n  return berth;\n}\n`,
    'long.html': `<html>${'\n'.repeat(300)}<body>${'<p>A paragraph about ferries.</p>\n'.repeat(90)}<p>The umbrella belongs to Ada.</p></body></html>`,
    'large.csv': 'x'.repeat(3 * 2 ** 20),
  });
  project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  await resultOf(project.freshen({ update: true }));
});
afterAll(() => project.close());

async function read(input: z.input<typeof readOperation.input>) {
  const work = readOperation.run(project, readOperation.input.parse({ update: false, ...input }), {});
  return readOperation.output.parse(await resultOf(work));
}

const linesOfFile = (text: string, first: number, last: number) =>
  text
    .split('\n')
    .slice(first - 1, last)
    .join('\n');

test.skipIf(process.platform === 'win32')(
  'a path that no line can hold is read by the name that is shown',
  async () => {
    const { text } = await read({ path: 'docs/two\\nlines\\u{202e}.md' });
    expect(text).toContain('no line can hold');
  },
);

test('of a file that does not fit the beginning is read, and what the rest of it has is listed with its lines', async () => {
  const {
    text,
    outline = [],
    is_cut: isCut,
    tokens,
    next,
  } = await read({
    places: ['src/shelf.js'],
    max_tokens: 1200,
  });
  expect([isCut, tokens < 500]).toEqual([true, true]);
  expect(text).toContain('Keeps boxes.');
  expect(outline.map(({ name }) => name)).toEqual(expect.arrayContaining(['take', 'sort', 'small']));
  for (const { citation, name } of outline) expect((await read({ places: [citation] })).text).toContain(name);
  expect((await read({ places: [`src/shelf.js:${next}`], max_tokens: 9000 })).text).toContain(
    'return one + two',
  );
  expect((await read({ places: ['src/shelf.js'], max_tokens: 9000 })).outline).toBeUndefined();
  const plain = await read({ places: ['src/shelf.js'], max_tokens: 1200, numbers: false });
  expect([plain.outline, plain.tokens > 1000]).toEqual([undefined, true]);
});

describe('for a question', () => {
  const question = 'how is a box taken? compute take17';

  test('a long file is what answers, and a line with the names for each other part', async () => {
    const { text, folded = [], is_cut: isCut } = await read({ places: ['src/shelf.js'], for: question });
    expect(text).toContain('this.take17 = compute(17');
    expect(text).toContain('export class Shelf {');
    expect([text.split('\n').length < code.split('\n').length, isCut]).toEqual([true, false]);
    const names = folded.flatMap((part) => part.names);
    expect(names).toContain('small');
    for (const { lines } of folded) {
      expect(text).toContain(`… ${lines.join('-')} folded`);
      const part = await read({ places: [`src/shelf.js:${lines.join('-')}`], for: question });
      expect([part.text, part.folded]).toEqual([linesOfFile(code, ...lines).trimEnd(), undefined]);
    }
  });

  test('a long definition keeps its beginning', async () => {
    const { text, folded = [] } = await read({ places: ['Shelf'], for: question });
    expect(text.split('\n')).toContain('export class Shelf {');
    expect(folded.length).toBeGreaterThan(0);
  });

  test('what answers is shown wherever in a file it is', async () => {
    const { text, tokens } = await read({ places: ['far.txt'], for: 'whose umbrella is it?' });
    expect(text).toContain('The umbrella belongs to Ada.');
    expect(tokens).toBeLessThanOrEqual(4096);
  });

  test('of a file with other lines than its text the folded lines can be read as they are named', async () => {
    const { folded = [], lines = [0, 0] } = await read({
      places: ['long.html'],
      for: 'whose umbrella is it?',
    });
    expect(folded.length).toBeGreaterThan(0);
    for (const part of folded) {
      expect([part.lines[0] >= lines[0], part.lines[1] <= lines[1]]).toEqual([true, true]);
      const { text } = await read({ places: [`long.html:${part.lines.join('-')}`] });
      expect(text).toContain('A paragraph about ferries.');
    }
  });

  test('a short one is whole, and all of it is with full', async () => {
    const { text, folded } = await read({ places: ['src/deep/other.js'], for: question });
    expect([text, folded]).toEqual(['export function small() {\n  return 3;\n}', undefined]);
    const whole = await read({ places: ['src/shelf.js'], for: question, full: true, max_tokens: 100 });
    expect([whole.text, whole.folded, whole.is_cut]).toEqual([code.trimEnd(), undefined, false]);
  });

  test('what could not be asked is said, once for all places', async () => {
    const toml = '[embedder]\ndriver = "openai"\nmodel = "m"\nurl = "https://embed.example.com"\n';
    const elsewhere = await openProject(
      await temporaryFolder({ 'src/shelf.js': code, 'src/box.js': code, 'quarry.toml': toml }),
    );
    onTestFinished(() => elsewhere.close());
    await resultOf(elsewhere.freshen({ update: true, vectors: false }));
    const input = { places: ['src/shelf.js', 'src/box.js'], update: false };
    const asked = async (more: object) =>
      resultOf(readOperation.run(elsewhere, readOperation.input.parse({ ...input, ...more }), {}));
    const { further, folded, warnings } = await asked({ for: question });
    expect([further?.length, folded === undefined]).toEqual([1, false]);
    expect(warnings).toMatchObject([{ code: 'consent-missing' }]);
    expect((await asked({})).warnings).toEqual([]);
  });

  test('a question without a word is refused, and one beside places of words', async () => {
    for (const wrong of [{ for: ' ' }, { for: question, boxes: true }])
      await expect(read({ places: ['src/shelf.js'], ...wrong })).rejects.toMatchObject({
        code: 'usage-invalid',
      });
  });
});

test('a function of C is read where it is defined, not where it is announced', async () => {
  const { text } = await read({ places: ['src/pier.c#dock'] });
  expect(text).toContain('return berth;');
});

describe('reading lines', () => {
  test('shows exactly these lines of the file, whatever the chunks are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 0, max: 30 }),
        async (first, more) => {
          // Blank lines alone are no text: that is refused.
          fc.pre(linesOfFile(code, first, first + more).trim() !== '');
          const { text, lines, citation } = await read({
            path: 'src/shelf.js',
            lines: `${first}-${first + more}`,
          });
          // Blank lines at either end belong to no chunk.
          expect(text.trim()).toBe(linesOfFile(code, first, first + more).trim());
          expect(citation).toBe(`src/shelf.js:${lines?.join('-')}`.replace(/:(\d+)-\1$/, ':$1'));
        },
      ),
      { numRuns: draws(60) },
    );
  });

  test('takes a citation for the path, and an open end', async () => {
    expect((await read({ path: 'src/shelf.js:3-4' })).text).toBe(linesOfFile(code, 3, 4));
    const { text, total_lines: total } = await read({ path: 'src/shelf.js', lines: '100-' });
    expect(text).toBe(linesOfFile(code, 100, total));
  });

  test('stays within the tokens, and says with which lines to read on until all is read', async () => {
    let next: string | undefined = '1-';
    const parts: string[] = [];
    for (let calls = 0; next !== undefined && calls < 100; calls += 1) {
      const part = await read({ path: 'src/shelf.js', lines: next, max_tokens: 200 });
      expect(part.tokens).toBeLessThanOrEqual(200);
      expect(part.is_cut).toBe(part.next !== undefined);
      parts.push(part.text);
      next = part.next;
    }
    const letters = (text: string) => text.replace(/\s/g, '');
    expect(letters(parts.join(''))).toBe(letters(code));
    expect(parts.length).toBeGreaterThan(5);
  });

  test('of a format with other lines shows the chunks that hold them', async () => {
    const { text, lines } = await read({ path: 'page.html', lines: '10-12' });
    expect(text).toContain('A paragraph about ferries.');
    expect(text).not.toContain('<p>');
    expect(lines?.[0]).toBeLessThanOrEqual(10);
    expect(lines?.[1]).toBeGreaterThanOrEqual(12);
  });

  test('keeps the line ends of the file', async () => {
    expect((await read({ path: 'docs/windows.md' })).text).toBe('one\r\n\r\ntwo\r\n\r\nthree');
    expect((await read({ path: 'docs/windows.md', lines: '1-3' })).text).toBe('one\r\n\r\ntwo');
  });
});

describe('reading a symbol', () => {
  test('shows the whole definition, though it was cut into chunks', async () => {
    const { text, others } = await read({ symbol: 'Shelf' });
    expect(text).toContain(classText.trimEnd());
    expect(others).toEqual([]);
  });

  test('finds a method by its scope', async () => {
    const { text, section } = await read({ path: 'src/shelf.js', symbol: 'Shelf.count' });
    expect(text).toContain("this.count29 = compute(29, 'count')");
    expect(section).toContain('Shelf');
  });

  test('names the other definitions of a name', async () => {
    const { path, others } = await read({ symbol: 'small' });
    expect([path, ...others.map((other) => other.path)].toSorted()).toEqual([
      'src/deep/other.js',
      'src/shelf.js',
    ]);
  });
});

describe('reading a chunk', () => {
  test('shows it alone, or with its neighbours', async () => {
    const { hits } = await project.search('line 40 of the harbour', { update: false, topK: 1 });
    const [hit] = hits;
    if (!hit) return expect.unreachable();
    const alone = await read({ path: hit.document.uri, chunk: hit.chunk.id });
    expect(alone.text).toBe(hit.chunk.text);
    const wide = await read({ path: hit.document.uri, chunk: hit.chunk.id, neighbours: 1 });
    expect(wide.text).toContain(hit.chunk.text);
    expect(wide.text.length).toBeGreaterThan(alone.text.length);
  });
});

describe('what cannot be read', () => {
  test.each([
    ['a path that leads out', { path: '../secret.txt' }, 'path-outside-root'],
    ['an absolute path elsewhere', { path: '/etc/passwd' }, 'path-outside-root'],
    ['an unknown file', { path: 'src/missing.js' }, 'document-not-found'],
    ['a file that was left out', { path: 'large.csv' }, 'document-not-found'],
    ['lines beyond the end', { path: 'src/shelf.js', lines: '9000-9001' }, 'document-not-found'],
    ['an unknown symbol', { symbol: 'nowhereDefined' }, 'document-not-found'],
    ['a symbol that the file lacks', { path: 'docs/harbour.md', symbol: 'Shelf' }, 'document-not-found'],
    ['an unknown chunk', { path: 'src/shelf.js', chunk: '0123456789abcdef' }, 'document-not-found'],
    ['a chunk without its file', { chunk: '0123456789abcdef' }, 'usage-invalid'],
    ['nothing', {}, 'usage-invalid'],
    ['lines and a symbol', { path: 'src/shelf.js', lines: '1', symbol: 'Shelf' }, 'usage-invalid'],
    ['lines that run backwards', { path: 'src/shelf.js', lines: '9-3' }, 'usage-invalid'],
  ])('%s is refused', async (_, input, code) => {
    await expect(read(input)).rejects.toMatchObject({ code });
  });

  test('why a file was left out is said', async () => {
    await expect(read({ path: 'large.csv' })).rejects.toThrow(/too-large/);
  });

  test('a path is also found by its end, or as an absolute one within the project', async () => {
    expect((await read({ path: 'other.js' })).path).toBe('src/deep/other.js');
    expect((await read({ path: `${folder}/src/deep/other.js` })).path).toBe('src/deep/other.js');
    await expect(read({ path: 'else/other.js' })).rejects.toMatchObject({
      remedy: expect.stringContaining('src/deep/other.js'),
    });
  });
});

describe('reading several places', () => {
  test('shows each, and says of those that cannot be read why not', async () => {
    const {
      path,
      further = [],
      failed = [],
    } = await read({
      places: ['src/shelf.js:1-3', 'nowhere.js', 'docs/harbour.md:1', 'Shelf.count'],
    });
    expect([path, ...further.map((place) => place.path)]).toEqual([
      'src/shelf.js',
      'docs/harbour.md',
      'src/shelf.js',
    ]);
    expect(failed.map(({ place }) => place)).toEqual(['nowhere.js']);
  });

  test('stays within the tokens of all', async () => {
    const { tokens, further = [] } = await read({
      places: ['docs/harbour.md', 'src/shelf.js'],
      max_tokens: 500,
    });
    expect(tokens).toBeLessThanOrEqual(500);
    expect(further[0]?.is_cut).toBe(true);
    // The last of them has some room in any case.
    expect(tokens + (further[0]?.tokens ?? 0)).toBeLessThanOrEqual(700);
  });

  test('shares them: short places come whole, whatever stands before them, and long ones have what these leave', async () => {
    const {
      tokens,
      is_cut,
      further = [],
    } = await read({
      places: ['src/shelf.js', 'src/shelf.js:1-3', 'docs/harbour.md:1'],
      max_tokens: 900,
    });
    expect(further.map((place) => place.is_cut)).toEqual([false, false]);
    expect(is_cut).toBe(true);
    const short = further.reduce((sum, place) => sum + place.tokens, 0);
    // Of a file that does not fit the beginning is read, and an outline of the rest.
    expect(tokens).toBeLessThanOrEqual(900 - short);
    expect(tokens).toBeGreaterThan(100);
  });

  test('where none can be read is the error of the first', async () => {
    await expect(read({ places: ['nowhere.js', 'neither.js'] })).rejects.toThrow(/nowhere\.js/);
    await expect(read({ places: ['a.js', 'b.js'], lines: '1' })).rejects.toMatchObject({
      code: 'usage-invalid',
    });
  });
});
