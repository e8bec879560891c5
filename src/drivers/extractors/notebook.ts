import type { Extraction, Extractor } from '../../contracts/extractor.ts';
import type { Place, PlaceMark } from '../../core/place.ts';
import { beginningOf } from '../../core/text/shortened.ts';
import { bounded, defaultBounds, degradation } from './bounds.ts';
import { decodeText } from './decode-text.ts';
import { joinParts, type TextPart } from './join-parts.ts';
import { fenced } from './markdown-blocks.ts';

/** Longest output of a cell that is kept, in characters: enough for a result or an error, not for a table of data. */
const maxOutputLength = 2000;

/** Jupyter notebooks as Markdown: text cells as they are, code in fences, outputs as short text, no pictures. */
export function createNotebookExtractor(bounds = defaultBounds): Extractor {
  return bounded('notebook', bounds, async ({ bytes }) => {
    const decoded = await decodeText(bytes);
    const notebook: unknown = decoded && JSON.parse(decoded.text);
    if (!isRecord(notebook))
      return { kind: 'skip', reason: 'unsupported', rule: 'broken notebook: no object' };
    return render(notebook);
  });
}

export default createNotebookExtractor;

type Json = Readonly<Record<string, unknown>>;

function render(notebook: Json): Extraction {
  const cells = cellsOf(notebook);
  if (!cells) return { kind: 'skip', reason: 'unsupported', rule: 'broken notebook: no cells' };
  const language = languageOf(notebook);
  const parts = cells.flatMap((cell, index) => cellParts(cell, index + 1, language));
  const readable = cells.filter((cell) => isRecord(cell)).length;
  const title = parts
    .map(({ text }) => /^#[ \t]+(.+)$/m.exec(text.startsWith('```') ? '' : text)?.[1])
    .find(Boolean);
  const { text, marks } = joinParts(parts, '\n\n');
  return {
    kind: 'text',
    text,
    places: { kind: 'cells', marks: marks.flatMap(({ start }, index) => lineMarks(start, parts[index])) },
    chunker: 'markdown',
    metadata: { ...(language && { kernel: language }) },
    ...(title && { title: beginningOf(title.trim(), 300) }),
    ...degradation(readable < cells.length && `${cells.length - readable} cells cannot be read`),
  };
}

/** Cells of format 4; format 3 kept them in work sheets. */
function cellsOf(notebook: Json): readonly unknown[] | undefined {
  if (Array.isArray(notebook.cells)) return notebook.cells;
  if (!Array.isArray(notebook.worksheets)) return undefined;
  return notebook.worksheets.flatMap((sheet) =>
    isRecord(sheet) && Array.isArray(sheet.cells) ? sheet.cells : [],
  );
}

function languageOf({ metadata }: Json): string {
  if (!isRecord(metadata)) return '';
  const { language_info: info, kernelspec: kernel } = metadata;
  const name = (isRecord(info) && info.name) || (isRecord(kernel) && kernel.language);
  return typeof name === 'string' && /^[\w+#.-]{1,40}$/.test(name) ? name.toLowerCase() : '';
}

/** What becomes of a cell: its source or its output. */
interface CellPart extends TextPart<number> {
  /** Lines of the text before the first of the cell's source; undefined for an output. */
  readonly linesAbove?: number;
}

/** A mark for each line of the source of a cell, and one for an output. */
function lineMarks(start: number, part: CellPart | undefined): PlaceMark<CellPoint>[] {
  if (!part) return [];
  const { text, at: cell, linesAbove } = part;
  if (linesAbove === undefined) return [{ start, at: { cell } }];
  const marks: PlaceMark<CellPoint>[] = [];
  const lines = text.split('\n');
  const last = lines.length - 2 * linesAbove;
  let at = start;
  for (const [index, line] of lines.entries()) {
    // A fence stands for the line next to it.
    marks.push({ start: at, at: { cell, line: Math.max(1, Math.min(last, index + 1 - linesAbove)) } });
    at += line.length + 1;
  }
  return marks;
}

type CellPoint = Extract<Place, { kind: 'cells' }>['first'];

function cellParts(cell: unknown, number: number, language: string): CellPart[] {
  if (!isRecord(cell)) return [];
  const source = linesOf(cell.source ?? cell.input).trimEnd();
  if (cell.cell_type !== 'code') {
    const level = cell.cell_type === 'heading' && typeof cell.level === 'number' ? cell.level : 0;
    const marks = level >= 1 && level <= 6 ? `${'#'.repeat(level)} ` : '';
    return source.trim() === '' ? [] : [{ text: `${marks}${source}`, at: number, linesAbove: 0 }];
  }
  const outputs = Array.isArray(cell.outputs)
    ? cell.outputs.map(outputText).filter((text) => text !== '')
    : [];
  const result = shortened(outputs.join('\n'));
  return [
    ...(source.trim() === '' ? [] : [{ text: fenced(source, language), at: number, linesAbove: 1 }]),
    ...(result === '' ? [] : [{ text: fenced(result, 'output'), at: number }]),
  ];
}

/** The plain text of an output: a stream, a result, or an error with its message. */
function outputText(output: unknown): string {
  if (!isRecord(output)) return '';
  if (output.output_type === 'error') return `${linesOf(output.ename)}: ${linesOf(output.evalue)}`;
  const data = isRecord(output.data) ? output.data['text/plain'] : undefined;
  // Terminals write colours as escape sequences.
  return linesOf(output.text ?? data)
    .replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g'), '')
    .trimEnd();
}

function shortened(text: string): string {
  return text.length <= maxOutputLength ? text : `${beginningOf(text, maxOutputLength).trimEnd()}\n…`;
}

/** Text that the format writes as one string or as a list of lines. */
function linesOf(written: unknown): string {
  if (typeof written === 'string') return written;
  return Array.isArray(written) ? written.filter((line) => typeof line === 'string').join('') : '';
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
