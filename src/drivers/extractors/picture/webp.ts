import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Picture } from '../../../core/picture.ts';
import { carriedFolder } from '../../../platform/native-package.ts';
import { once } from '../../../platform/once.ts';
import { assertSize, UnreadablePicture } from './bounds.ts';

/** The part of WebAssembly that is used: Node.js has it, its types do not. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(compiled: object, imports: object): Promise<{ readonly exports: unknown }>;
};

/** What the decoder offers; addresses are in its memory. */
interface Decoder {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(bytes: number): number;
  WebPDecodeRGBA(input: number, bytes: number, width: number, height: number): number;
}

const compiled = once(async () =>
  WebAssembly.compile(await readFile(join(carriedFolder('@cwasm/webp'), 'webp.wasm'))),
);

/** Decodes a WebP on a white ground. Its memory is that of this call. */
export async function decodeWebp(bytes: Uint8Array): Promise<Picture> {
  const { width, height } = sizeOf(bytes);
  assertSize(width, height);
  const refused = () => {
    throw new UnreadablePicture('it asks for what a picture does not need');
  };
  const instance = await WebAssembly.instantiate(await compiled(), {
    wasi_snapshot_preview1: { fd_close: refused, fd_seek: refused, fd_write: refused },
  });
  // Only the decoder knows what it offers.
  const decoder = instance.exports as Decoder;
  const input = decoder.malloc(bytes.length + 8);
  if (input === 0) throw new UnreadablePicture('it needs too much memory');
  new Uint8Array(decoder.memory.buffer, input, bytes.length).set(bytes);
  const size = input + ((bytes.length + 3) & ~3);
  const output = decoder.WebPDecodeRGBA(input, bytes.length, size, size + 4);
  const [foundWidth, foundHeight] = new Uint32Array(decoder.memory.buffer, size, 2);
  if (output === 0 || foundWidth !== width || foundHeight !== height)
    throw new UnreadablePicture('its pixels cannot be decoded');
  const found = new Uint8Array(decoder.memory.buffer, output, width * height * 4);
  const pixels = new Uint8Array(width * height * 3);
  for (let at = 0, from = 0; at < pixels.length; at += 3, from += 4) {
    const visible = (found[from + 3] ?? 255) / 255;
    for (let channel = 0; channel < 3; channel += 1)
      pixels[at + channel] = 255 + ((found[from + channel] ?? 255) - 255) * visible;
  }
  return { width, height, pixels };
}

/** The size as the header states it, of a picture with losses, without, or with more around it. */
function sizeOf(bytes: Uint8Array): { readonly width: number; readonly height: number } {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = Buffer.from(bytes.subarray(12, 16)).toString('latin1');
  if (bytes.length < 30) throw new UnreadablePicture('it ends too early');
  if (kind === 'VP8 ')
    return { width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff };
  if (kind === 'VP8L') {
    const both = data.getUint32(21, true);
    return { width: (both & 0x3fff) + 1, height: ((both >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== 'VP8X') throw new UnreadablePicture('its kind of pixels is unknown');
  if (((bytes[20] ?? 0) & 2) !== 0) throw new UnreadablePicture('it is animated');
  const three = (at: number): number => data.getUint16(at, true) + ((bytes[at + 2] ?? 0) << 16) + 1;
  return { width: three(24), height: three(27) };
}
