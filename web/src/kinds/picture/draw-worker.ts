import type { DrawAnswer, DrawnPage, DrawRequest } from './draw.ts';
import { bytesOf, drawPdfPage } from './pdf-page.ts';

// A thread of its own: a file that takes too long is ended with it, and nothing of it comes near the page.
addEventListener('message', ({ data, ports: [port] }: MessageEvent<DrawRequest>) => {
  // The parser of PDFs talks over the thread as well: questions of ours bring a way of their own.
  if (!port) return;
  const answer = (drawn: DrawAnswer, transfer: Transferable[] = []): void =>
    port.postMessage(drawn, transfer);
  const draw = data.type === 'application/pdf' ? drawPdfPage : drawPicture;
  draw(data).then(
    (drawn) => answer(drawn, [drawn.bitmap]),
    (thrown: unknown) => answer({ failure: thrown instanceof Error ? thrown.message : String(thrown) }),
  );
});

async function drawPicture({ base64, type, width }: DrawRequest): Promise<DrawnPage> {
  const whole = await createImageBitmap(new Blob([bytesOf(base64)], { type }));
  if (whole.width <= width) return { bitmap: whole, words: [], pages: 1, isPart: false };
  const resizeHeight = Math.max(1, Math.round((whole.height * width) / whole.width));
  const bitmap = await createImageBitmap(whole, {
    resizeWidth: width,
    resizeHeight,
    resizeQuality: 'medium',
  });
  whole.close();
  return { bitmap, words: [], pages: 1, isPart: false };
}
