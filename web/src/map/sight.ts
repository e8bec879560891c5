/** A place on the map, from 0 to 1, or a pixel of the canvas. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The size of the canvas, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What part of the map is seen: the point at the middle, and how many times it is enlarged. */
export interface Sight extends Place {
  readonly zoom: number;
}

/** The whole map. */
export const wholeMap: Sight = { x: 0.5, y: 0.5, zoom: 1 };

/** The least and the most that a map is enlarged. */
const zooms = { min: 0.8, max: 60 };

/** Where a pixel of the canvas is on the map. */
export function placeAt(size: Size, { x, y, zoom }: Sight, pixel: Place): Place {
  const { wide, high } = pixelsOfMap(size, zoom);
  return { x: x + (pixel.x - size.width / 2) / wide, y: y - (pixel.y - size.height / 2) / high };
}

/** Where a place of the map is on the canvas. */
export function pixelAt(size: Size, { x, y, zoom }: Sight, place: Place): Place {
  const { wide, high } = pixelsOfMap(size, zoom);
  return { x: size.width / 2 + (place.x - x) * wide, y: size.height / 2 - (place.y - y) * high };
}

/** Enlarged by a factor; what is below the pixel stays there. */
export function enlarged(size: Size, sight: Sight, factor: number, pixel: Place): Sight {
  const zoom = Math.max(zooms.min, Math.min(zooms.max, sight.zoom * factor));
  const [before, after] = [placeAt(size, sight, pixel), placeAt(size, { ...sight, zoom }, pixel)];
  return { x: sight.x + before.x - after.x, y: sight.y + before.y - after.y, zoom };
}

/** Moved, so that what was below one pixel is below another. */
export function moved(size: Size, sight: Sight, from: Place, to: Place): Sight {
  const [before, after] = [placeAt(size, sight, from), placeAt(size, sight, to)];
  return { ...sight, x: sight.x + before.x - after.x, y: sight.y + before.y - after.y };
}

/** The pixels that the whole map takes where it is not enlarged: all of the canvas, but never stretched further than this. */
export function extentOf({ width, height }: Size): { readonly wide: number; readonly high: number } {
  const max = 1.7;
  return { wide: Math.min(width, height * max), high: Math.min(height, width * max) };
}

function pixelsOfMap(size: Size, zoom: number): { readonly wide: number; readonly high: number } {
  const { wide, high } = extentOf(size);
  return { wide: zoom * 0.95 * wide || 1, high: zoom * 0.95 * high || 1 };
}
