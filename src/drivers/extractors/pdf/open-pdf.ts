import { CarriedDecoders, type PdfTask, pdfParser } from './pdf-parser.ts';

/**
 * Opens a PDF so that nothing is fetched, drawn or printed; the memory of `bytes` is transferred. Pictures in it of more
 * than `maxImageSize` pixels are left out.
 */
export async function openPdf(bytes: Uint8Array, maxImageSize = 0): Promise<PdfTask> {
  const pdf = await pdfParser();
  return pdf.getDocument({
    data: bytes,
    useSystemFonts: false,
    disableFontFace: true,
    useWorkerFetch: false,
    BinaryDataFactory: CarriedDecoders,
    isImageDecoderSupported: false,
    isOffscreenCanvasSupported: false,
    maxImageSize,
    enableXfa: false,
    verbosity: 0,
  });
}
