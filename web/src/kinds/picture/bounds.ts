/** Pixels of all large canvases and bitmaps together that the drawing of one page may make: three scans of A3. */
const maxTogether = 120_000_000;

/** Bounds what this thread may draw on, for as long as it lives: that is one page. Canvases no larger than that of a page are not counted. */
export function boundCanvases(ofPage: number): void {
  let together = 0;
  const count = (width: number, height: number): void => {
    if (width * height <= ofPage) return;
    together += width * height;
    if (together > maxTogether) throw new Error('its pictures together are too large');
  };
  const Canvas = globalThis.OffscreenCanvas;
  globalThis.OffscreenCanvas = class extends Canvas {
    constructor(width: number, height: number) {
      count(width, height);
      super(width, height);
    }
  };
  const make = globalThis.createImageBitmap.bind(globalThis) as (...given: unknown[]) => Promise<ImageBitmap>;
  globalThis.createImageBitmap = async (...given: unknown[]) => {
    const bitmap = await make(...given);
    count(bitmap.width, bitmap.height);
    return bitmap;
  };
}

/** Notes from now on that the parser leaves a picture out, which it only says to the console. */
export function noteLeftOut(): () => boolean {
  let isLeftOut = false;
  console.warn = (said: unknown) => {
    isLeftOut ||= /image|jbig2|jpx|ccitt|canvas|dependent/i.test(String(said));
  };
  return () => isLeftOut;
}
