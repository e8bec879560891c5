import type { Store } from '../../contracts/store.ts';
import { commitWritten } from '../../core/documents/commit.ts';
import { asQuarryError, QuarryError } from '../../core/errors.ts';
import { citationOf } from '../../core/text/citation.ts';
import { neutraliseLine } from '../../core/text/neutralise.ts';
import { beginningOf } from '../../core/text/shortened.ts';
import { shownLine } from '../../core/text/shown-text.ts';
import { holdingsOf } from '../../index/holdings.ts';
import { namedDocuments } from '../../index/named-documents.ts';
import type { LineRange } from '../windows/read-stretch.ts';
import { definitionsOf, nearNames } from './find-definitions.ts';
import { type Found, findDocument, lookUp, nearestPaths, notFound, uriIn } from './find-document.ts';
import { type CitedChunks, citedChunks } from './match-citation.ts';

/** What a text that names a place means. */
export interface NamedPlace {
  /** Absent where a definition is named by its name alone. */
  readonly found?: Found;
  readonly lines?: LineRange;
  readonly symbol?: string;
  readonly cited?: CitedChunks;
}

/** The line after the last one of any file. */
export const endOfFile = 999_999_999;

const numbered = /^(.+?)[:#]L?(\d{1,9})(?::\d{1,9}|(-)L?(\d{0,9}))?$/s;

/**
 * Understands a place as any surface shows it: `src/a.ts`, `src/a.ts:10`, `src/a.ts:10-40`, `src/a.ts#Store.put`, `Store.put`,
 * `report.pdf, page 3`, `sales.ipynb, cell 4, lines 2-5`, `inbox.mbox: "Harvest", 2026-03-01`, and the title or an alias of a note.
 */
export async function resolvePlace(store: Store, folder: string, text: string): Promise<NamedPlace> {
  const whole = await at(store, folder, text);
  if (whole) return { found: whole };
  const written = commitWritten(text);
  const commit = written === undefined ? undefined : await lookUp(store, written);
  if (commit) return { found: commit };
  const [, path = '', from = '', dash, to = ''] = numbered.exec(text) ?? [];
  const inLines = path === '' ? undefined : await at(store, folder, path);
  if (inLines) return { found: inLines, lines: linesOf(from, dash, to) };
  const cited = await citationIn(store, text);
  if (cited) return cited;
  const [, file = '', symbol = ''] = /^(.+)#([^#]+)$/s.exec(text) ?? [];
  const inFile = file === '' ? undefined : await at(store, folder, file);
  if (inFile) return { found: inFile, symbol };
  try {
    await definitionsOf(store, text);
    return { symbol: text };
  } catch (thrown) {
    const error = asQuarryError(thrown);
    if (error.code !== 'document-not-found') throw thrown;
    const titled = namedDocuments(await store.documents()).titled(text);
    const note = titled && (await lookUp(store, titled.uri));
    if (note) return { found: note };
    const uri = path || file || text;
    const { paths, manifest } = await holdingsOf(store);
    const isPath =
      path !== '' || /[\\/]/.test(text) || manifest.has(uri) || nearestPaths(uri, paths).length > 0;
    const looksLikeFile = /\.\w{1,5}$/.test(text) && !error.remedy.startsWith(nearNames);
    // Of a file that is known and was left out this says why.
    if (!isPath && !looksLikeFile) throw error;
    return { found: await findDocument(store, uri) };
  }
}

/** The document of a path; what leads out of the project is refused. */
async function at(store: Store, folder: string, path: string): Promise<Found | undefined> {
  return lookUp(store, uriIn(folder, path));
}

function linesOf(from: string, dash: string | undefined, to: string): LineRange {
  const first = Number(from);
  const last = dash === undefined ? first : to === '' ? endOfFile : Number(to);
  if (first >= 1 && last >= first) return [first, last];
  throw new QuarryError(
    'usage-invalid',
    `"${from}-${to}" is not a range of lines.`,
    'Write lines like 10-40.',
  );
}

/** A citation of what has no lines: its path ends before a comma or a colon. */
async function citationIn(store: Store, text: string): Promise<NamedPlace | undefined> {
  const { paths } = await holdingsOf(store);
  const isShown = (path: string, shown: string): boolean =>
    path === shown || shownLine(path) === shown || neutraliseLine(path) === shown;
  for (const { index } of text.matchAll(/[,:] /g)) {
    const name = text.slice(0, index);
    const meant =
      paths.find((path) => isShown(path, name)) ?? only(paths.filter((path) => path.endsWith(`/${name}`)));
    const found = meant === undefined ? undefined : await lookUp(store, meant);
    if (!found) continue;
    const rest = text.slice(index + 2);
    const cited = citedChunks(found.chunks, rest);
    if (cited) return { found, cited };
    const last = found.chunks.at(-1) ?? found.chunks[0];
    throw notFound(
      `"${found.uri}" has no ${beginningOf(rest, 100)}.`,
      `Its places are written like: ${[...new Set([found.chunks[0], last].map(({ place }) => citationOf(found.uri, place)))].join('; ')}.`,
    );
  }
  return undefined;
}

function only<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}
