import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import { defaultBounds } from './bounds.ts';
import { createHtmlExtractor } from './html.ts';
import { extractFrom, samplePage, textOf } from './samples.fixture.ts';

const extractor = createHtmlExtractor();
const textFrom = async (html: string | Uint8Array) => textOf(await extractFrom(extractor, html));

test('gives the main content as Markdown, titled by the page', async () => {
  expect(await extractFrom(extractor, samplePage)).toMatchObject({
    kind: 'text',
    chunker: 'markdown',
    title: 'Guide & more',
    text: [
      '# Getting started',
      'Install it with `npm` and read the manual.',
      '## Steps',
      '1. One\n2. Two\n  - Inner',
      '| Key | Value |\n| --- | --- |\n| a\\|b | 1 |',
      '```sh\nnpm install\nnpm test\n```',
      '> Well said',
    ].join('\n\n'),
  });
});

test('cuts a long title between characters', async () => {
  const html = `<title>${'x'.repeat(299)}\u{1F6B2} and more</title><p>A text.</p>`;
  expect(await extractFrom(extractor, html)).toMatchObject({ title: 'x'.repeat(299) });
});

describe('the choice of the main content', () => {
  const article = 'A sentence of some length about the matter at hand, and one more to be sure.';

  test('leaves navigation, footers, asides and hidden parts out of a page without <main>', async () => {
    const page = `<nav>Menu</nav><div>${article}</div><aside>Ads</aside><p hidden>Secret</p><footer>End</footer>`;
    expect(await textFrom(page)).toBe(article);
  });

  test('keeps the first heading of a banner', async () => {
    expect(await textFrom(`<header><h1>Name</h1><p>Slogan</p></header><p>${article}</p>`)).toBe(
      `# Name\n\n${article}`,
    );
  });

  test('takes the whole page when the rest would be almost nothing', async () => {
    const page = `<main><p>Loading</p></main><nav><p>${article}</p></nav>`;
    expect(await textFrom(page)).toBe(`Loading\n\n${article}`);
    expect(await textFrom(`<footer>${article}</footer>`)).toBe(article);
  });

  test('takes articles only where they are most of the content', async () => {
    const teaser = '<article>Read more here</article>';
    expect(await textFrom(`${teaser}<p>${article}</p>`)).toBe(`Read more here\n\n${article}`);
    expect(await textFrom(`<article>${article}</article><p>Share this</p>`)).toBe(article);
  });

  test('prefers <main> only where it has a fair share of the text', async () => {
    const page = `<main><p>Short</p></main><p>${article}</p>`;
    expect(await textFrom(page)).toBe(`Short\n\n${article}`);
  });
});

test('shows layout tables as paragraphs and nested tables as text of their cell', async () => {
  expect(await textFrom('<table><tr><td>One</td></tr><tr><td>Two</td></tr></table>')).toBe('One\n\nTwo');
  const nested = '<table><tr><td>a</td><td><table><tr><td>b</td><td>c</td></tr></table></td></tr></table>';
  expect(await textFrom(nested)).toBe('| a | b c |\n| --- | --- |');
});

test.each([
  ['a table of data', '<td>a</td>\n<td>c|f</td></tr>\n<tr>\n<td>d</td>\n<td>e</td>'],
  [
    'a table that is used for layout',
    '<td>a</td></tr>\n<tr><td>c|f</td></tr>\n<tr>\n<td>d</td></tr>\n<tr><td>e</td>',
  ],
])('knows the line of every cell of %s', async (_, cells) => {
  const found = await extractFrom(extractor, `<p>Before</p>\n<table><tr>${cells}</tr></table>`);
  if (found.kind !== 'text' || found.places?.kind !== 'lines') throw new TypeError('It has no lines.');
  const { text } = found;
  const letterAt = (start: number) => /\w/.exec(text.slice(start))?.[0];
  expect(found.places.marks.map(({ start, at }) => [letterAt(start), at])).toEqual([
    ['B', 1],
    ['a', 2],
    ['c', 3],
    ['d', 5],
    ['e', 6],
  ]);
});

test('keeps line breaks of <br> and lets no text pass for a heading or a fence', async () => {
  expect(await textFrom('<p># one<br>two\n three</p>')).toBe('\\# one\ntwo three');
  expect(await textFrom('<pre>```\nx</pre>')).toBe('````\n```\nx\n````');
});

test('reads the encoding that the page declares', async () => {
  const page = Buffer.from('<meta charset="iso-8859-7"><p>\xea\xe1\xeb\xe7\xec\xdd\xf1\xe1</p>', 'latin1');
  expect(await textFrom(page)).toBe('καλημέρα');
});

test('reads tags that are never closed, in any depth', async () => {
  expect(await textFrom('<div><p>One<p>Two<li>Three<b>')).toBe('One\n\nTwo\n\n- Three');
  expect(await textFrom(`${'<div>'.repeat(3000)}deep`)).toBe('deep');
  expect(await textFrom(`${'<ul><li>'.repeat(2000)}deep`)).toBe(`${' '.repeat(16)}- deep`);
});

test.each(['div', 'blockquote', 'b'])(
  'reads what is nested in 100,000 elements <%s> as plain text, and says so',
  async (name) => {
    const nested = `${`<${name}>`.repeat(100_000)}deep &amp; far${`</${name}>`.repeat(100_000)}`;
    const found = await extractFrom(extractor, `<p>kept</p>${nested}`);
    expect(found).toMatchObject({
      kind: 'text',
      degraded: expect.stringContaining('deeper than 5000 levels'),
    });
    expect(found.kind === 'text' && found.text.replace(/\s+/g, ' ')).toBe('kept deep & far');
  },
);

test('says that there is no text in a page of scripts', async () => {
  expect(await textFrom('<script>var a = "<p>no</p>"</script><style>p{}</style>')).toBe(
    'empty: nothing but white space',
  );
});

test('stops at the bounds of room and of time, and says so', async () => {
  const page = `<p>${'word '.repeat(20_000)}</p>`;
  const short = await extractFrom(createHtmlExtractor({ ...defaultBounds, outputCharacters: 100 }), page);
  expect(short).toMatchObject({ degraded: 'read to character 16384 of 100007; cut after 100 characters' });
  const late = await extractFrom(createHtmlExtractor({ ...defaultBounds, milliseconds: 0 }), page);
  expect(late.kind).toBe('skip');
});

test('loses no word of content, however its tags are mixed up', async () => {
  const names = 'div p h1 h2 ul ol li table tr td th pre code blockquote b span dl dt dd form'.split(' ');
  const tag = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('', '/'))
    .map(([name, end]) => `<${end}${name}>`);
  const part = fc.oneof(
    tag,
    tag,
    fc.nat(10_000).map((number) => `word${number} `),
    fc.constantFrom('<br>', '< ', '\n'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 60 }), async (parts) => {
      const text = await textFrom(parts.join(''));
      const words = parts.filter((one) => one.startsWith('word'));
      for (const word of words) expect(text).toContain(word.trim());
    }),
    { numRuns: draws(300) },
  );
});
