import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import type { Chunk } from '../core/chunk.ts';
import { documentId } from '../core/identity.ts';
import { citationOf, joinPlaces } from '../core/text/citation.ts';
import {
  epubOf,
  pptxOf,
  sampleCalendar,
  sampleContacts,
  shapeOf,
  textCell,
  xlsxOf,
} from '../drivers/extractors/office/office-files.fixture.ts';
import { docxOf, pdfOf, wordParagraph } from '../drivers/extractors/samples.fixture.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { openProject } from '../index.ts';
import { resultOf } from '../platform/streams.ts';

const prose = (about: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) => `The ${about} number ${at} is told of here, in one sentence.`,
  ).join('\n\n');
const now = new Date();
const today = now.toISOString().slice(0, 10);
const message = (subject: string, about: string, count = 3) =>
  `From a@b.example Mon Jan  5 10:00:00 2026\nFrom: a@b.example\nSubject: ${subject}\nDate: ${now.toUTCString()}\n\n${prose(about, count)}\n`;
const notebook = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { language_info: { name: 'python' } },
  cells: [
    { cell_type: 'markdown', metadata: {}, source: '# Sales, by month' },
    ...['apples', 'pears', 'plums'].map((fruit) => ({
      cell_type: 'code',
      metadata: {},
      execution_count: 1,
      source: Array.from({ length: 30 }, (_, at) => `${fruit}_${at} = count("${fruit}", ${at})\n`),
      outputs: [{ output_type: 'stream', name: 'stdout', text: prose(fruit, 8) }],
    })),
  ],
};
const shelf = `/** Keeps boxes. */\nexport class Shelf {\n  put(box) {\n    return this.boxes.push(box);\n  }\n\n  take() {\n    return this.boxes.pop();\n  }\n}\n`;

let project: Project;
let chunks: Map<string, readonly Chunk[]>;
beforeAll(async () => {
  const folder = await temporaryFolder({
    'src/shelf.js': shelf,
    'docs/guide, part one.md': `# Guide\n\n${prose('harbour', 60)}\n`,
    'mail/inbox.mbox': [
      message('Harvest, and more: "apples"', 'harvest'),
      message('Harvest, and more: "apples"', 'second'),
      message('A long one', 'length', 200),
      message('', 'nothing'),
    ].join('\n'),
    'mail/one.eml': message('Single', 'single').split('\n').slice(1).join('\n'),
    'deck.pptx': pptxOf([
      { shapes: shapeOf(prose('slide', 40)), notes: prose('remark', 40) },
      { shapes: shapeOf('a second slide of sails') },
    ]),
    'tea.epub': epubOf([
      { html: `<p>${prose('leaf', 60)}</p>`, name: 'Leaves, and time' },
      { html: `<h1>Water</h1><p>${prose('spring', 60)}</p>` },
    ]),
    'stories.epub': epubOf(
      ['fox', 'owl', 'hare'].map((name) => ({
        html: `<h1>Arrival</h1>${prose(name, 60)
          .split('\n\n')
          .map((text) => `<p>${text}</p>`)
          .join('')}`,
      })),
    ),
    'team.ics': sampleCalendar,
    'people.vcf': sampleContacts,
    'report.pdf': pdfOf([
      ['the first page of tides'],
      ['the second page of winds'],
      ['a third page of ropes'],
    ]),
    'gap.pdf': pdfOf([['the first page of kelp'], [], ['the last page of kelp']]),
    'short.pptx': pptxOf([
      { shapes: shapeOf('a slide of ropes'), notes: 'said of ropes' },
      { shapes: shapeOf('a slide of sails') },
      { shapes: shapeOf('a slide of masts') },
    ]),
    'sales.ipynb': JSON.stringify(notebook),
    'plan.docx': docxOf(
      ['Goals', 'Next year']
        .map(
          (name) =>
            `${wordParagraph(name, '<w:pStyle w:val="Heading1"/>')}${prose(name, 30)
              .split('\n\n')
              .map((text) => wordParagraph(text))
              .join('')}`,
        )
        .join(''),
    ),
    // Headings that begin alike, and are longer together than a citation.
    'handbook.epub': epubOf([
      {
        html: [
          'Managing packages that many people depend upon',
          'Handling reports of bugs that have to do with security',
          'Preparing packages to address a problem',
          'Uploading the fixed packages to the archive',
        ]
          .map((name, at) => {
            const tag = `h${Math.min(at + 1, 3)}`;
            return `<${tag}>${name}</${tag}>${prose(name, 90)
              .split('\n\n')
              .map((text) => `<p>${text}</p>`)
              .join('')}`;
          })
          .join(''),
      },
    ]),
    'deep.json': JSON.stringify({
      a_key_that_is_long: {
        'another key, which is longer than that by far, and says nothing': {
          [`more of ${'x'.repeat(20)}`]: Array.from({ length: 60 }, (_, at) => ({ deep: `city ${at}` })),
        },
      },
    }),
    'costs.xlsx': xlsxOf(
      ['Costs', 'Next, year'].map((name) => ({
        name,
        rows: Array.from(
          { length: 120 },
          (_, at) =>
            `<row r="${at + 1}">${textCell(`A${at + 1}`, `the ${name} number ${at}`)}${textCell(`C${at + 1}`, 'in one sentence')}</row>`,
        ).join(''),
      })),
    ),
    'users.json': JSON.stringify({
      users: Array.from({ length: 60 }, (_, at) => ({ name: `user ${at}`, city: `city ${at}` })),
    }),
    'page.html': `<html><body>${prose('ferry', 30)
      .split('\n\n')
      .map((text) => `<p>${text}</p>\n`)
      .join('')}</body></html>`,
  });
  project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  await resultOf(project.freshen({ update: true }));
  const store = await project.store();
  const paths = await store.paths();
  chunks = new Map(
    await Promise.all(paths.map(async (path) => [path, await chunksOf(store, documentId(path))] as const)),
  );
});
afterAll(() => project.close());

const words = (text: string) => text.replace(/\s+/g, ' ').trim();
const read = (place: string) => project.read({ place, maxTokens: 100_000, update: false });

test('there is a place of every kind among the files', () => {
  const kinds = new Set([...chunks.values()].flat().map(({ place }) => place.kind));
  expect([...kinds].sort()).toEqual([
    'cells',
    'entries',
    'keys',
    'lines',
    'messages',
    'pages',
    'paragraphs',
    'sheets',
    'slides',
  ]);
  expect(chunks.size).toBe(19);
});

test('every citation of a chunk, and from one chunk to the next, is read as it stands', async () => {
  for (const [uri, own] of chunks) {
    for (const [at, chunk] of own.entries()) {
      const next = own[at + 1];
      const citation = citationOf(uri, chunk.place);
      const { uri: found, text, others } = await read(citation);
      expect(found, citation).toBe(uri);
      // Two messages of the same subject and date have the same citation: the others are named.
      if (!words(text).includes(words(chunk.text)))
        expect(
          others.map(({ place }) => place),
          citation,
        ).toContainEqual(chunk.place);
      if (!next || next.metadata.message !== chunk.metadata.message) continue;
      const joined = citationOf(uri, joinPlaces(chunk.place, next.place));
      const both = words((await read(joined)).text);
      expect(both, joined).toContain(words(chunk.text).slice(0, 40));
    }
  }
});

test('the other messages of a subject and day are read by their numbers', async () => {
  const { text, others } = await read(`mail/inbox.mbox: "Harvest, and more: "apples"", ${today}`);
  expect(text).toContain('The harvest number 0');
  const [other] = others;
  expect(other?.symbol.signature).toBe('mail/inbox.mbox, message 2');
  expect((await read(other?.symbol.signature ?? '')).text).toContain('The second number 0');
});

test('chapters of the same name are told apart by their number', async () => {
  const citations = (chunks.get('stories.epub') ?? []).map(({ place }) => citationOf('', place));
  expect(new Set(citations).size).toBe(citations.length);
  expect((await read('stories.epub, "Arrival"')).text).toContain('The fox number 0');
  expect((await read('stories.epub, "Arrival (2)"')).text).toContain('The owl number 0');
  expect((await read('stories.epub, "Arrival (3)", paragraph 60')).text).toContain('The hare number 59');
});

test('a page, a cell and a part of a cell are read by their numbers alone, and without quotation marks', async () => {
  expect((await read('report.pdf, page 2')).text).toContain('winds');
  expect((await read('sales.ipynb, cell 2, output')).text).toContain('The apples number');
  expect((await read('sales.ipynb, cell 3, lines 2-4')).text).toContain('pears_2');
  expect((await read(`mail/inbox.mbox: A long one, ${today}`)).text).toContain('The length number 199');
});

test('of several short pages, slides or rows in one chunk only those that are named are read', async () => {
  expect(await read('report.pdf, page 2')).toMatchObject({
    text: 'the second page of winds',
    place: { kind: 'pages', first: 2, last: 2 },
    isCut: false,
  });
  const two = await read('report.pdf, pages 2-3');
  expect(words(two.text)).toBe('the second page of winds a third page of ropes');
  expect((await read('short.pptx, slide 2')).text).toBe('a slide of sails');
  expect((await read('costs.xlsx, sheet "Costs", A2:C3')).text.split('\n')).toEqual([
    'the Costs number 1 | in one sentence',
    'the Costs number 2 | in one sentence',
  ]);
  const goal = await read('plan.docx, paragraph 2');
  expect(goal.text).toBe('The Goals number 0 is told of here, in one sentence.');
  // With its surroundings where they are asked for.
  const around = await project.read({ place: 'report.pdf, page 2', neighbours: 1, update: false });
  expect(around.text).toContain('tides');
  // A place that the file does not have: what it has is named, once where it has one alone.
  await expect(read('report.pdf, page 4')).rejects.toMatchObject({
    remedy: 'Its places are written like: report.pdf, pages 1-3.',
  });
  // An empty page is none.
  await expect(read('gap.pdf, page 2')).rejects.toMatchObject({ code: 'document-not-found' });
  expect((await read('gap.pdf, page 3')).text).toBe('the last page of kelp');
});

test('what shares a chunk with its class is read by its name, in its file or without it', async () => {
  for (const place of ['Shelf.take', 'src/shelf.js#take', 'src/shelf.js#Shelf.take', 'Shelf#take()']) {
    expect((await read(place)).text, place).toContain('this.boxes.pop()');
  }
});

test('what is not there is an error that names the nearest', async () => {
  const remedyOf = (place: string) => read(place).then(undefined, ({ remedy }) => remedy as string);
  expect(await remedyOf('src/shelve.js')).toContain('src/shelf.js');
  expect(await remedyOf('src/shelve.js:3-9')).toContain('src/shelf.js');
  expect(await remedyOf('Shelf.tak')).toContain('take');
  expect(await remedyOf('src/shelf.js#tak')).toContain('take');
  expect(await remedyOf('report.pdf, page 9')).toContain('report.pdf, pages 1-3');
  await expect(read('../elsewhere.md:3')).rejects.toMatchObject({ code: 'path-outside-root' });
});
