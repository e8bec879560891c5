import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../../test/property-draws.ts';
import { citationOf } from '../core/text/citation.ts';
import {
  epubOf,
  pptxOf,
  sampleCalendar,
  sampleContacts,
  shapeOf,
  textCell,
  xlsxOf,
} from '../drivers/extractors/office/office-files.fixture.ts';
import { chunksOf, expectWordsAt, numbered, paragraphs, placeOf, wordsIn } from './places.fixture.ts';

describe('a chunk of an office file is where its place says', () => {
  test('the rows of a sheet, under its name', async () => {
    await fc.assert(
      fc.asyncProperty(paragraphs, fc.nat(20), async (sizes, above) => {
        const cells = sizes.map((size) => numbered(size).join(' '));
        const rows = cells.map(
          (text, at) => `<row r="${at + above + 1}">${textCell(`B${at + above + 1}`, text)}</row>`,
        );
        const sheets = ['One', 'Two'].map((name) => ({ name, rows: rows.join('') }));
        for (const chunk of await chunksOf('a.xlsx', xlsxOf(sheets))) {
          const { first, last } = placeOf(chunk, 'sheets');
          expect(last.sheet).toBe(first.sheet);
          expect(chunk.section).toBe(first.sheet);
          expect(chunk.header).toBe(`a > ${first.sheet}`);
          if (wordsIn(chunk.text).length > 0)
            expectWordsAt(chunk, cells[first.row - above - 1] ?? '', cells[last.row - above - 1] ?? '');
        }
      }),
      { numRuns: draws(20) },
    );
  });

  test('the slide of a presentation, with its notes', async () => {
    await fc.assert(
      fc.asyncProperty(paragraphs, async (sizes) => {
        const slides = sizes.map((size) => ({
          shapes: numbered(size).join(' '),
          notes: numbered(size).join(' '),
        }));
        const file = pptxOf(slides.map(({ shapes, notes }) => ({ shapes: shapeOf(shapes), notes })));
        for (const chunk of await chunksOf('a.pptx', file)) {
          const { first, last } = placeOf(chunk, 'slides');
          const wordsOf = ({ slide, notes }: typeof first) =>
            slides[slide - 1]?.[notes ? 'notes' : 'shapes'] ?? '';
          expectWordsAt(chunk, wordsOf(first), wordsOf(last));
        }
      }),
      { numRuns: draws(20) },
    );
  });

  test('the chapter of a book', async () => {
    await fc.assert(
      fc.asyncProperty(paragraphs, async (sizes) => {
        const texts = sizes.map((size) => numbered(size).join(' '));
        const file = epubOf(texts.map((text, at) => ({ html: `<p>${text}</p>`, name: `Chapter ${at}` })));
        for (const chunk of await chunksOf('a.epub', file)) {
          const { first, last } = placeOf(chunk, 'paragraphs');
          const textAt = ({ heading }: typeof first) => texts[Number(heading.slice('Chapter '.length))] ?? '';
          if (wordsIn(chunk.text).length > 0) expectWordsAt(chunk, textAt(first), textAt(last));
        }
      }),
      { numRuns: draws(20) },
    );
  });

  test('the event of a calendar and the contact of an address book, each a chunk of its own', async () => {
    const calendar = await chunksOf('a.ics', sampleCalendar);
    expect(new Set(calendar.map(({ place }) => citationOf('a.ics', place)))).toEqual(
      new Set(['a.ics: "Review, with cake", 2026-03-01', 'a.ics: "لنشرب الشاي", 2026-04-01']),
    );
    const contacts = await chunksOf('a.vcf', sampleContacts);
    expect(contacts.map(({ place }) => citationOf('a.vcf', place))).toEqual([
      'a.vcf: "Ada Lovelace"',
      'a.vcf: "Jörg Müller"',
    ]);
    expect(contacts.map(({ section }) => section)).toEqual(['Ada Lovelace', 'Jörg Müller']);
  });
});
