import type { Picture } from '../../core/picture.ts';
import { pointIn, type Rectangle } from './rectangle.ts';

/** A picture of another size: averages where it shrinks, in between values where it grows. */
export function resized(picture: Picture, width: number, height: number): Picture {
  if (width === picture.width && height === picture.height) return picture;
  const whole: Rectangle = {
    center: { x: picture.width / 2, y: picture.height / 2 },
    width: picture.width,
    height: picture.height,
    angle: 0,
  };
  return cutOut(picture, whole, width, height);
}

/** A picture that fits into a square of so many pixels, no larger than it was. */
export function fitted(picture: Picture, maxSide: number): Picture {
  const share = Math.min(1, maxSide / Math.max(picture.width, picture.height));
  const side = (pixels: number) => Math.max(1, Math.round(pixels * share));
  return resized(picture, side(picture.width), side(picture.height));
}

/** More samples of one pixel bring nothing that the eye or a model sees. */
const maxSamples = 6;

/** What a rectangle of a picture shows, as a picture of its own; the edge is repeated where it reaches beyond. */
export function cutOut(picture: Picture, rectangle: Rectangle, width: number, height: number): Picture {
  const pixels = new Uint8Array(width * height * 3);
  const samples = (share: number) => Math.max(1, Math.min(maxSamples, Math.round(share)));
  const across = samples(rectangle.width / width);
  const down = samples(rectangle.height / height);
  const origin = pointIn(rectangle, 0, 0);
  const right = pointIn(rectangle, 1, 0);
  const below = pointIn(rectangle, 0, 1);
  const step = { x: (right.x - origin.x) / (width * across), y: (right.y - origin.y) / (width * across) };
  const row = { x: (below.x - origin.x) / (height * down), y: (below.y - origin.y) / (height * down) };
  const count = across * down;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let [red, green, blue] = [0, 0, 0];
      for (let j = 0; j < down; j += 1) {
        for (let i = 0; i < across; i += 1) {
          const [u, v] = [x * across + i + 0.5, y * down + j + 0.5];
          // The middle of the first pixel is at one half.
          const px = Math.min(picture.width - 1, Math.max(0, origin.x + u * step.x + v * row.x - 0.5));
          const py = Math.min(picture.height - 1, Math.max(0, origin.y + u * step.y + v * row.y - 0.5));
          const [x0, y0] = [Math.floor(px), Math.floor(py)];
          const [fx, fy] = [px - x0, py - y0];
          const a = (y0 * picture.width + x0) * 3;
          const b = x0 + 1 < picture.width ? a + 3 : a;
          const below = y0 + 1 < picture.height ? picture.width * 3 : 0;
          const from = picture.pixels;
          // Every index lies in the picture.
          const value = (channel: number): number =>
            ((from[a + channel] as number) * (1 - fx) + (from[b + channel] as number) * fx) * (1 - fy) +
            ((from[a + below + channel] as number) * (1 - fx) + (from[b + below + channel] as number) * fx) *
              fy;
          red += value(0);
          green += value(1);
          blue += value(2);
        }
      }
      const at = (y * width + x) * 3;
      pixels[at] = red / count + 0.5;
      pixels[at + 1] = green / count + 0.5;
      pixels[at + 2] = blue / count + 0.5;
    }
  }
  return { width, height, pixels };
}

/** How a model wants the value of a channel: less a mean and divided by a deviation, both as shares of 255. */
export interface Scaling {
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
}

/** A picture as numbers, channel by channel with blue first; what is right of it up to `width` is zero. */
export function tensorOf(
  picture: Picture,
  { mean, deviation }: Scaling,
  width = picture.width,
): Float32Array {
  const { height, pixels } = picture;
  const values = new Float32Array(3 * width * height);
  for (let channel = 0; channel < 3; channel += 1) {
    const [less, by] = [mean[channel] ?? 0, deviation[channel] ?? 1];
    for (let y = 0; y < height; y += 1) {
      let to = (channel * height + y) * width;
      let from = y * picture.width * 3 + 2 - channel;
      for (let x = 0; x < picture.width; x += 1, to += 1, from += 3)
        values[to] = ((pixels[from] as number) / 255 - less) / by;
    }
  }
  return values;
}
