import { boundCanvases, noteLeftOut } from './bounds.ts';
import type { DrawnPage, DrawRequest } from './draw.ts';
import type { WordOnPage } from './words.ts';

/** Pixels of the picture of a page, and of one in it, at most. */
const maxPixels = 8_000_000;
const maxImageSize = 40_000_000;
/** Words of a page that are marked at most. */
const maxWords = 20_000;

/** Draws one page of a PDF. It fetches nothing, runs nothing of the file, and makes no fonts of the browser of it. */
export async function drawPdfPage({ base64, page: number, width }: DrawRequest): Promise<DrawnPage> {
  boundCanvases(maxPixels);
  const isLeftOut = noteLeftOut();
  const { getDocument } = await parser();
  const task = getDocument({
    data: bytesOf(base64),
    useSystemFonts: false,
    disableFontFace: true,
    useWorkerFetch: false,
    BinaryDataFactory: CarriedDecoders,
    enableXfa: false,
    maxImageSize,
    // Warnings: what is left out is only said there.
    verbosity: 1,
    CanvasFactory: OffscreenCanvases,
    FilterFactory: NoFilters,
  });
  const document = await task.promise;
  const page = await document.getPage(Math.min(Math.max(1, number), document.numPages));
  const plain = page.getViewport({ scale: 1 });
  const fitting = Math.sqrt(maxPixels / Math.max(1, plain.width * plain.height));
  const viewport = page.getViewport({ scale: Math.min(width / plain.width, fitting) });
  const canvas = new OffscreenCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
  await page.render({ canvas: null, canvasContext: canvas.getContext('2d'), viewport }).promise;
  const { items, styles } = await page.getTextContent();
  const words = items.flatMap((item) =>
    item.str === undefined
      ? []
      : wordsOf(item.str, placed(item, viewport.transform), viewport, styles[item.fontName]?.fontFamily),
  );
  const pages = document.numPages;
  await task.destroy();
  const isPart = isLeftOut();
  return { bitmap: canvas.transferToImageBitmap(), words: words.slice(0, maxWords), pages, isPart };
}

/** What a text of base 64 stands for. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
}

interface TextItem {
  readonly str: string;
  readonly fontName: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
}

interface Viewport {
  readonly width: number;
  readonly height: number;
  readonly transform: readonly number[];
}

/** What is used of the parser, whose types are many times its size. */
interface Parser {
  getDocument(options: object): {
    readonly promise: Promise<{
      readonly numPages: number;
      getPage(number: number): Promise<{
        getViewport(options: { readonly scale: number }): Viewport;
        render(options: object): { readonly promise: Promise<void> };
        getTextContent(): Promise<{
          readonly items: readonly (TextItem | { readonly str?: undefined })[];
          readonly styles: Readonly<Record<string, { readonly fontFamily: string }>>;
        }>;
      }>;
    }>;
    destroy(): Promise<void>;
  };
}

/** The parser that the server reads PDFs with, in this thread alone: without a further one for what it parses. */
async function parser(): Promise<Parser> {
  const fileOf = (name: string): string => new URL(name, location.href).href;
  const parsing: unknown = await import(/* @vite-ignore */ fileOf('pdf.worker.min.mjs'));
  Object.assign(globalThis, { pdfjsWorker: parsing });
  return import(/* @vite-ignore */ fileOf('pdf.min.mjs'));
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where a run of text stands in the picture; text that goes upwards or slants is boxed as if it lay. */
function placed(
  item: Pick<TextItem, 'transform' | 'width' | 'height'>,
  [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[],
): Box {
  const [, , , , x = 0, y = 0] = item.transform;
  const height = item.height || Math.hypot(item.transform[2] ?? 0, item.transform[3] ?? 0);
  const corners = [
    [x, y - height * 0.25],
    [x + item.width, y + height * 0.9],
  ].map(([px = 0, py = 0]) => [a * px + c * py + e, b * px + d * py + f] as const);
  const [xs, ys] = [corners.map(([at]) => at), corners.map(([, at]) => at)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

const measuring = new OffscreenCanvas(1, 1).getContext('2d');

/** The words of a run, each with its share of the run's width as letters of its kind have it, in thousandths of the picture. */
function wordsOf(
  text: string,
  box: Box,
  { width, height }: Pick<Box, 'width' | 'height'>,
  family = 'sans-serif',
): WordOnPage[] {
  if (measuring) measuring.font = `20px ${family}`;
  const widthOf = (part: string): number => measuring?.measureText(part).width ?? part.length;
  const whole = widthOf(text) || 1;
  const share = (part: string): number => (box.width * widthOf(part)) / whole;
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    word,
    left: ((box.left + share(text.slice(0, index))) * 1000) / width,
    top: (box.top * 1000) / height,
    width: (share(word) * 1000) / width,
    height: (box.height * 1000) / height,
  }));
}

/** The decoders of fax, JBIG2 and JPEG 2000 that the server carries for the parser, and no other file. */
class CarriedDecoders {
  async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    if (!/^(?:jbig2|openjpeg)\.wasm$/.test(filename)) throw new Error(`it needs ${filename}`);
    const answer = await fetch(new URL(filename, location.href));
    if (!answer.ok) throw new Error('what unpacks it is missing');
    return new Uint8Array(await answer.arrayBuffer());
  }
}

interface OffscreenPair {
  canvas: OffscreenCanvas | null;
  context: OffscreenCanvasRenderingContext2D | null;
}

/** Canvases that need no page: what draws a PDF asks for some of its own. */
class OffscreenCanvases {
  create(width: number, height: number): OffscreenPair {
    if (!(width > 0 && height > 0 && width * height <= maxImageSize))
      throw new Error('a part of it is too large');
    const canvas = new OffscreenCanvas(width, height);
    return { canvas, context: canvas.getContext('2d') };
  }
  reset({ canvas }: OffscreenPair, width: number, height: number): void {
    if (!canvas || !(width * height <= maxImageSize)) throw new Error('a part of it is too large');
    canvas.width = width;
    canvas.height = height;
  }
  destroy(pair: OffscreenPair): void {
    pair.canvas = null;
    pair.context = null;
  }
}

/** Filters are elements of a page; a picture that wants one is drawn without. */
class NoFilters {
  addFilter(): string {
    return 'none';
  }
  addHCMFilter(): string {
    return 'none';
  }
  addAlphaFilter(): string {
    return 'none';
  }
  addLuminosityFilter(): string {
    return 'none';
  }
  addKnockoutFilter(): string {
    return 'none';
  }
  addHighlightHCMFilter(): string {
    return 'none';
  }
  destroy(): void {}
}
