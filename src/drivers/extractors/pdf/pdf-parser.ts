import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importOptional } from '../../../platform/import-optional.ts';
import { nativeFolder } from '../../../platform/native-package.ts';
import { once } from '../../../platform/once.ts';
import { UnreadablePicture } from '../picture/bounds.ts';
import type { TextRun } from './page-text.ts';

/** What is used of the parser: the package with its types is ten times as large as what is carried of it. */
export interface PdfParser {
  getDocument(options: Readonly<Record<string, unknown>>): PdfTask;
  /** The number of each drawing operation. */
  readonly OPS: Readonly<Record<string, number>>;
  readonly GlobalWorkerOptions: { workerSrc: string };
}

/** An opening of a PDF, which is let go of with `destroy`. */
export interface PdfTask {
  readonly promise: Promise<PdfDocument>;
  destroy(): Promise<void>;
}

/** An open PDF. */
export interface PdfDocument {
  readonly numPages: number;
  getPage(number: number): Promise<PdfPage>;
  getMetadata(): Promise<{ readonly info: Readonly<Record<string, unknown>> }>;
}

/** What a page, or all of them together, call by a name. */
interface NamedObjects {
  get(name: string, take: (found: unknown) => void): void;
}

/** A page of it. */
export interface PdfPage {
  getTextContent(): Promise<{ readonly items: readonly (TextRun | { readonly type: string })[] }>;
  getViewport(options: { readonly scale: number }): {
    readonly width: number;
    readonly height: number;
    readonly transform: readonly number[];
  };
  getOperatorList(): Promise<{
    readonly fnArray: readonly number[];
    readonly argsArray: readonly (readonly unknown[] | null)[];
  }>;
  readonly objs: NamedObjects;
  readonly commonObjs: NamedObjects;
  cleanup(): void;
}

const packageName = 'pdfjs-dist';

/** The parser of PDFs, loaded when the first one is read. */
export const pdfParser = once(() =>
  importOptional(
    packageName,
    'Reading PDF',
    loadParser,
    `npm install --ignore-scripts ${packageName}@6.1.200`,
  ),
);

async function loadParser(): Promise<PdfParser> {
  const folder = join(nativeFolder(packageName), 'legacy', 'build');
  const addressOf = (name: string): string => pathToFileURL(join(folder, name)).href;
  const parser = await withoutCanvas<PdfParser>(() => import(/* @vite-ignore */ addressOf('pdf.min.mjs')));
  parser.GlobalWorkerOptions.workerSrc = addressOf('pdf.worker.min.mjs');
  return parser;
}

/** Gives the parser its decoders of fax, JBIG2 and JPEG 2000, and no other file. */
export class CarriedDecoders {
  async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    if (!/^(?:jbig2|openjpeg)\.wasm$/.test(filename)) throw new UnreadablePicture(`it needs ${filename}`);
    return readFile(join(nativeFolder(packageName), 'wasm', filename));
  }
}

/**
 * Loads the parser without what it draws on, which is never used here: for the moment of loading it has a matrix and a path that do
 * nothing, and nobody is warned that there is no canvas.
 */
async function withoutCanvas<Result>(load: () => Promise<Result>): Promise<Result> {
  const missing = ['DOMMatrix', 'Path2D'].filter((name) => !(name in globalThis));
  for (const name of missing) Object.assign(globalThis, { [name]: class {} });
  const { warn } = console;
  console.warn = () => {};
  try {
    return await load();
  } finally {
    console.warn = warn;
    for (const name of missing) Reflect.deleteProperty(globalThis, name);
  }
}
