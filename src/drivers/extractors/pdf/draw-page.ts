import type { Picture } from '../../../core/picture.ts';
import { UnreadablePicture } from '../picture/bounds.ts';
import { asPicture, objectOf } from '../picture/pdf-picture.ts';
import { type PdfPage, pdfParser } from './pdf-parser.ts';

/** The longer side of a page as a picture: A4 with 240 dots per inch. */
const maxSide = 2800;
/** Dots per inch at most, for pages that are small. */
const maxScale = 300 / 72;
/** Pictures of one page at most: a scan is one, or a strip for every few lines. */
const maxPictures = 1000;

/** A mapping of points in the plane as in a PDF: x' = a x + c y + e, y' = b x + d y + f. */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** The page as its pictures show it, without text and lines; undefined where it is empty. */
export async function drawPage(page: PdfPage): Promise<Picture | undefined> {
  const { OPS } = await pdfParser();
  const whole = page.getViewport({ scale: 1 });
  const scale = Math.min(maxScale, maxSide / Math.max(whole.width, whole.height));
  const view = page.getViewport({ scale });
  const [width, height] = [view.width, view.height].map((side) => Math.max(1, Math.round(side))) as [
    number,
    number,
  ];
  const canvas: Picture = { width, height, pixels: new Uint8Array(width * height * 3).fill(255) };
  const { fnArray, argsArray } = await page.getOperatorList();
  const states: State[] = [];
  // The parser gives six numbers.
  let state: State = { matrix: view.transform as unknown as Matrix, isLight: false };
  let pictures = 0;
  let missing = 0;
  let paths = 0;
  for (const [index, operation] of fnArray.entries()) {
    const values = (argsArray[index] ?? []) as readonly unknown[];
    if (operation === OPS.save) states.push(state);
    else if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd)
      state = states.pop() ?? state;
    else if (operation === OPS.transform) state = moved(state, values);
    else if (operation === OPS.paintFormXObjectBegin) {
      states.push(state);
      if (isMatrix(values[0])) state = moved(state, values[0]);
    } else if (operation === OPS.setFillRGBColor) state = { ...state, isLight: isLight(values[0]) };
    else if (operation === OPS.constructPath) paths += 1;
    else {
      const isMask = operation === OPS.paintImageMaskXObject;
      if (!isMask && operation !== OPS.paintImageXObject && operation !== OPS.paintInlineImageXObject)
        continue;
      pictures += 1;
      if (pictures > maxPictures) throw new UnreadablePicture(`it has more than ${maxPictures} pictures`);
      const found = await pictureOf(page, values[0]);
      if (found) draw(canvas, found, state, isMask);
      else missing += 1;
    }
  }
  page.cleanup();
  if (pictures > missing) return canvas;
  if (missing > 0) throw new UnreadablePicture('its picture cannot be decoded');
  if (paths > 0) throw new UnreadablePicture('it is drawn with lines');
  return undefined;
}

interface State {
  readonly matrix: Matrix;
  /** Whether masks are filled with a light colour: white on white is nothing. */
  readonly isLight: boolean;
}

function moved(state: State, values: readonly unknown[]): State {
  return isMatrix(values) ? { ...state, matrix: product(state.matrix, values) } : state;
}

function isMatrix(values: unknown): values is Matrix {
  return (
    (Array.isArray(values) || values instanceof Float32Array) &&
    values.length === 6 &&
    values.every(Number.isFinite)
  );
}

/** The mapping that does the second and then the first. */
function product([a, b, c, d, e, f]: Matrix, [u, v, w, x, y, z]: Matrix): Matrix {
  return [a * u + c * v, b * u + d * v, a * w + c * x, b * w + d * x, a * y + c * z + e, b * y + d * z + f];
}

/** A colour as the parser writes it: `#ffffff`. */
function isLight(colour: unknown): boolean {
  return typeof colour === 'string' && /^#[c-f].[c-f].[c-f].$/i.test(colour);
}

type Drawn = NonNullable<Awaited<ReturnType<typeof objectOf>>>;

async function pictureOf(page: PdfPage, value: unknown): Promise<Drawn | undefined> {
  if (typeof value === 'string') return objectOf(page, value);
  if (typeof value !== 'object' || value === null || !('data' in value)) return undefined;
  if (typeof value.data === 'string') {
    const found = await objectOf(page, value.data);
    // Only masks are named so, and they do not say their kind: a bit for each pixel.
    return found && { ...found, kind: 1 };
  }
  // What stands in the page itself has the form of what it names.
  return 'width' in value && 'height' in value ? { kind: 1, ...(value as Omit<Drawn, 'kind'>) } : undefined;
}

/** Samples of one pixel in each direction at most. */
const maxSamples = 4;

/** Draws a picture into the square from 0 to 1 of the present mapping; its first row is at 1. */
function draw(canvas: Picture, drawn: Drawn, { matrix, isLight: isWhite }: State, isMask: boolean): void {
  const picture = asPicture(drawn);
  const [a, b, c, d, e, f] = matrix;
  const determinant = a * d - b * c;
  if (determinant === 0 || !Number.isFinite(determinant) || (isMask && isWhite)) return;
  const corners = [
    [e, f],
    [a + e, b + f],
    [c + e, d + f],
    [a + c + e, b + d + f],
  ] as const;
  const range = (axis: 0 | 1, max: number): [number, number] => [
    Math.max(0, Math.floor(Math.min(...corners.map((corner) => corner[axis])))),
    Math.min(max, Math.ceil(Math.max(...corners.map((corner) => corner[axis])))),
  ];
  const [left, right] = range(0, canvas.width);
  const [top, bottom] = range(1, canvas.height);
  const dense = Math.sqrt((picture.width * picture.height) / Math.abs(determinant));
  const samples = Math.max(1, Math.min(maxSamples, Math.ceil(dense)));
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) {
      let [red, green, blue, count] = [0, 0, 0, 0];
      for (let j = 0; j < samples; j += 1)
        for (let i = 0; i < samples; i += 1) {
          const [px, py] = [x + (i + 0.5) / samples - e, y + (j + 0.5) / samples - f];
          const across = (d * px - c * py) / determinant;
          const up = (a * py - b * px) / determinant;
          if (across < 0 || across >= 1 || up <= 0 || up > 1) continue;
          const from =
            (Math.floor((1 - up) * picture.height) * picture.width + Math.floor(across * picture.width)) * 3;
          red += picture.pixels[from] ?? 255;
          green += picture.pixels[from + 1] ?? 255;
          blue += picture.pixels[from + 2] ?? 255;
          count += 1;
        }
      if (count === 0) continue;
      const at = (y * canvas.width + x) * 3;
      const mix = (value: number, below: number): number => {
        const shown = value / count;
        // A mask paints where it is dark and leaves the rest; at its edge the ground shows through.
        if (isMask) return Math.min(shown, below);
        return (value + below * (samples * samples - count)) / (samples * samples);
      };
      canvas.pixels[at] = mix(red, canvas.pixels[at] ?? 255);
      canvas.pixels[at + 1] = mix(green, canvas.pixels[at + 1] ?? 255);
      canvas.pixels[at + 2] = mix(blue, canvas.pixels[at + 2] ?? 255);
    }
}
