import { describe, expect, test } from 'vitest';
import { defaultBounds } from './bounds.ts';
import { createRtfExtractor } from './rtf.ts';
import { extractFrom, textOf } from './samples.fixture.ts';

const rtf = createRtfExtractor();
const document = (body: string) =>
  `{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset204 B;}{\\f2\\fcharset128 C;}}{\\colortbl;\\red0;}{\\stylesheet{\\s1\\outlinelevel0 heading 1;}{\\s2 Heading 2;}{\\*\\cs10 Char;}}${body}}`;

test('a character of two halves in the title stays whole, and is not cut in two', async () => {
  const titled = (title: string) => extractFrom(rtf, `{\\rtf1\\uc1{\\info{\\title ${title}}}A text.}`);
  expect(await titled('Bike \\u-10179?\\u-8526? tour')).toMatchObject({ title: 'Bike \u{1F6B2} tour' });
  expect(await titled(`${'x'.repeat(299)}\\u-10179?\\u-8526? tour`)).toMatchObject({
    title: 'x'.repeat(299),
  });
});

test('gives headings, lists and tables as Markdown, notes and comments after the text', async () => {
  const body = [
    '{\\info{\\title The year}{\\author Ada}}{\\header Page}',
    '\\pard\\s1 Report\\par\\pard\\plain Fish\\~& {\\b chips}\\line again{\\footnote With\\par peas.}.\\par',
    '{\\*\\unknown gone}{\\pict 010203}{\\v hidden}{\\deleted gone}',
    '{\\listtext\\bullet\\tab}\\ilvl0 bullet\\par{\\listtext 1.\\tab}first\\par\\pard',
    '\\pard\\s2 Costs\\par\\pard',
    '\\trowd\\intbl Tea\\cell 3\\cell\\row\\trowd\\intbl Milk\\cell 2\\cell\\row\\pard',
    '{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt link}}{\\*\\annotation Really?}\\par',
  ].join('\n');
  const extraction = await extractFrom(rtf, document(body));
  expect(extraction).toMatchObject({
    text: [
      '# Report',
      'Fish\u00a0& chips\nagain.',
      '- bullet',
      '1. first',
      '## Costs',
      '| Tea | 3 |\n| --- | --- |\n| Milk | 2 |',
      'link',
      'With\npeas.',
      'Really?',
    ].join('\n\n'),
    title: 'The year',
    chunker: 'markdown',
  });
  const marks = extraction.kind === 'text' ? (extraction.places?.marks ?? []) : [];
  expect(marks[5]?.at).toEqual({ heading: 'Report > Costs', paragraph: 1 });
  expect(marks[7]?.at).toEqual({ heading: 'notes', paragraph: 1 });
});

test('reads every way in which letters are written', async () => {
  const body =
    "Gr\\'fc\\'dfe {\\f1 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2} {\\f2 \\'93\\'fa\\'96\\'7b} \\u1513?\\u1500\\'3f{\\uc2\\u1493ab}\\uc0\\u1501\\u-10179\\u-8704\\par \\emdash\\{\\}\\\\";
  expect(textOf(await extractFrom(rtf, document(body)))).toBe('Grüße Привет 日本 שלום😀\n\n—{}\\');
});

test('passes over binary data, whatever length it states', async () => {
  expect(textOf(await extractFrom(rtf, document('a\\bin3 {{{b\\par')))).toBe('ab');
  expect(textOf(await extractFrom(rtf, document('a\\bin999999999 {{{b\\par')))).toBe('a');
});

test('stops where groups are nested without end, and says so', async () => {
  expect(await extractFrom(rtf, document(`start\\par${'{'.repeat(1_000_000)}`))).toMatchObject({
    text: 'start',
    degraded: expect.stringContaining('nested too deep'),
  });
});

test('of groups nested without end and nothing before them is left out for that, not as empty', async () => {
  expect(await extractFrom(rtf, document(`${'{'.repeat(200_000)}deep`))).toEqual({
    kind: 'skip',
    reason: 'unsupported',
    rule: expect.stringContaining('nested too deep'),
  });
});

test('with more text than the bound is read from its beginning, and says so', async () => {
  const bounded = createRtfExtractor({ ...defaultBounds, outputCharacters: 100 });
  expect(await extractFrom(bounded, document('words and words\\par '.repeat(1000)))).toMatchObject({
    degraded: expect.stringContaining('not read to the end'),
  });
});

describe('a file of the same name', () => {
  test('that is text is read as text, and one that is packed or old says what to do', async () => {
    expect(await extractFrom(rtf, 'just text')).toMatchObject({ text: 'just text', chunker: 'prose' });
    expect(textOf(await extractFrom(rtf, 'PK\x03\x04'))).toMatch(/a packed file under the name of RTF/);
    expect(textOf(await extractFrom(rtf, Buffer.from('d0cf11e0a1b11ae100', 'hex')))).toMatch(
      /save it as .docx/,
    );
  });
});
