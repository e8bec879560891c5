import type { Picture } from '../../core/picture.ts';
import { fitted, resized, type Scaling, tensorOf } from './pixels.ts';
import { type Point, pointIn, type Rectangle, smallestAround } from './rectangle.ts';
import type { PictureModel } from './session.ts';

const scaling: Scaling = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };
/** The longer side that a picture has for the model: a page with small print needs more than the model was trained on. */
const maxSide = 1600;
/** Sides that the model takes are multiples of it. */
const block = 32;
/** From this likelihood on a pixel belongs to a text. */
const pixelFrom = 0.3;
/** Mean likelihood of the pixels of a line. */
const lineFrom = 0.5;
/** The model marks the core of a line: it grows by this share of its area over its circumference. */
const growth = 1.6;
const minSide = 3;
/** Lines of one page at most; a page of small print has 200. */
const maxLines = 2000;

/** Where the lines of text are in a picture. */
export async function findLines(picture: Picture, model: PictureModel): Promise<Rectangle[]> {
  const small = fitted(picture, maxSide);
  const side = (pixels: number) => Math.max(block, Math.round(pixels / block) * block);
  const seen = resized(small, side(small.width), side(small.height));
  const { width, height } = seen;
  const likelihood = await model.run(tensorOf(seen, scaling), [1, 3, height, width]);
  const map = { width, height, values: likelihood.values };
  const scale = { x: picture.width / width, y: picture.height / height };
  return stretchesOf(map)
    .map(smallestAround)
    .filter((line) => Math.min(line.width, line.height) >= minSide && meanIn(map, line) >= lineFrom)
    .slice(0, maxLines)
    .map((line) => scaled(grown(line), scale));
}

/** A number for each pixel. */
interface NumberMap {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** The outermost points of each connected stretch of likely pixels: two for each of its rows. */
function stretchesOf({ width, height, values }: NumberMap): Point[][] {
  const seen = new Uint8Array(width * height);
  const stack: number[] = [];
  const stretches: Point[][] = [];
  for (let begin = 0; begin < seen.length; begin += 1) {
    if (seen[begin] || (values[begin] as number) <= pixelFrom) continue;
    const rows = new Map<number, [left: number, right: number]>();
    seen[begin] = 1;
    stack.push(begin);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      const row = rows.get(y);
      if (row) {
        row[0] = Math.min(row[0], x);
        row[1] = Math.max(row[1], x);
      } else rows.set(y, [x, x]);
      for (let dy = Math.max(0, y - 1); dy <= Math.min(height - 1, y + 1); dy += 1)
        for (let dx = Math.max(0, x - 1); dx <= Math.min(width - 1, x + 1); dx += 1) {
          const next = dy * width + dx;
          if (seen[next] || (values[next] as number) <= pixelFrom) continue;
          seen[next] = 1;
          stack.push(next);
        }
    }
    stretches.push(
      [...rows].flatMap(([y, [left, right]]) => [
        { x: left, y },
        { x: right + 1, y },
        { x: left, y: y + 1 },
        { x: right + 1, y: y + 1 },
      ]),
    );
  }
  return stretches;
}

/** Samples of the mean in each direction at most. */
const samples = 64;

function meanIn({ width, height, values }: NumberMap, line: Rectangle): number {
  const [across, down] = [line.width, line.height].map((side) => Math.min(samples, Math.ceil(side))) as [
    number,
    number,
  ];
  let sum = 0;
  for (let j = 0; j < down; j += 1)
    for (let i = 0; i < across; i += 1) {
      const { x, y } = pointIn(line, (i + 0.5) / across, (j + 0.5) / down);
      const column = Math.min(width - 1, Math.max(0, Math.floor(x)));
      const row = Math.min(height - 1, Math.max(0, Math.floor(y)));
      sum += values[row * width + column] as number;
    }
  return sum / (across * down);
}

function grown(line: Rectangle): Rectangle {
  const by = (growth * line.width * line.height) / (line.width + line.height);
  return { ...line, width: line.width + by, height: line.height + by };
}

/** The rectangle in the picture itself, whose sides may have been shrunk a little differently. */
function scaled({ center, width, height, angle }: Rectangle, scale: Point): Rectangle {
  const mean = (scale.x + scale.y) / 2;
  return {
    center: { x: center.x * scale.x, y: center.y * scale.y },
    width: width * (Math.abs(angle) < Math.PI / 4 ? scale.x : mean),
    height: height * (Math.abs(angle) < Math.PI / 4 ? scale.y : mean),
    angle,
  };
}
