import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, QuarryError } from '../../core/errors.ts';
import {
  ensureOwnFolder,
  hasOwnFile,
  hasOwnFolder,
  readOwnFile,
  withinOwnFolder,
} from '../../platform/own-files.ts';
import { writeDurably } from '../../platform/write-durably.ts';
import { ensureStateFolder, hasStateFolder, stateFolderOf } from '../../state-folder/state-folder.ts';
import {
  type Evaluation,
  evaluationSchema,
  type ReportHead,
  reportHeadSchema,
} from '../evaluation-result.ts';

/** Results that a project keeps; older ones make room. */
const maxKept = 50;
/** Bytes of the largest result that is read, and of the line that a list shows. */
const maxBytes = { whole: 2 ** 28, head: 2 ** 20 };
const fileName = /^(?<id>[\w.-]+)\.ndjson$/;

/**
 * Keeps the result of an evaluation with the project, and returns its id. A file has two lines, what a list shows and the
 * whole result, so that a list of fifty does not read them all.
 */
export async function keepReport(project: string, evaluation: Evaluation): Promise<string> {
  await ensureStateFolder(project);
  const folder = folderOf(project);
  const id = evaluation.created_at.replaceAll(':', '-');
  // Where files were written is of no interest later, nor to a caller from elsewhere.
  const whole: Evaluation = { ...evaluation, files: [] };
  const lines = [headOf(id, whole), whole].map((line) => `${JSON.stringify(line)}\n`);
  try {
    ensureOwnFolder(folder);
    await writeDurably(join(folder, `${id}.ndjson`), lines.join(''), 0o600);
  } catch (cause) {
    if (cause instanceof QuarryError) throw cause;
    throw new QuarryError(
      'file-unreadable',
      `The result cannot be kept in ${folder}: ${messageOf(cause)}.`,
      'Free space on that disk, or make the folder writable.',
      { cause },
    );
  }
  const old = (await idsIn(project)).slice(maxKept);
  await withinOwnFolder(folder, async (steady) => {
    for (const each of old) await rm(join(steady, `${each}.ndjson`), { force: true });
  });
  return id;
}

/** The results that a project keeps, newest first; a file that cannot be read is named by its id. */
export async function listReports(
  project: string,
): Promise<{ readonly reports: readonly ReportHead[]; readonly unreadable: readonly string[] }> {
  const folder = folderOf(project);
  const reports: ReportHead[] = [];
  const unreadable: string[] = [];
  for (const id of await idsIn(project)) {
    const head = await firstLine(join(folder, `${id}.ndjson`));
    const { data } = reportHeadSchema.safeParse(head);
    if (data) reports.push(data);
    else unreadable.push(id);
  }
  return { reports, unreadable };
}

/** The whole result of an id, or of the only one that begins so; the newest by default. */
export async function readReport(
  project: string,
  wanted?: string,
): Promise<{ readonly id: string; readonly evaluation: Evaluation }> {
  const ids = await idsIn(project);
  const [id, another] =
    wanted === undefined ? ids.slice(0, 1) : ids.filter((known) => known.startsWith(wanted));
  if (id === undefined || another !== undefined) throw unknownReport(wanted, another !== undefined);
  try {
    const file = readOwnFile(join(folderOf(project), `${id}.ndjson`), { maxBytes: maxBytes.whole });
    const [, whole = ''] = String(file).split('\n');
    return { id, evaluation: evaluationSchema.parse(JSON.parse(whole)) };
  } catch (cause) {
    throw new QuarryError(
      'file-unreadable',
      `The report ${id} cannot be read: ${messageOf(cause)}`,
      'Evaluate again: quarry eval.',
      { cause },
    );
  }
}

function folderOf(project: string): string {
  return join(stateFolderOf(project), 'reports');
}

/** Newest first: ids are moments. */
async function idsIn(project: string): Promise<string[]> {
  const folder = folderOf(project);
  const names = hasStateFolder(project) && hasOwnFolder(folder) ? await readdir(folder) : [];
  return names
    .flatMap((name) => fileName.exec(name)?.groups?.id ?? [])
    .sort()
    .reverse();
}

async function firstLine(file: string): Promise<unknown> {
  let handle: FileHandle | undefined;
  try {
    if (!hasOwnFile(file)) return undefined;
    handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes.head));
    const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
    return JSON.parse(line);
  } catch {
    // What cannot be read, or is no JSON, is no report.
    return undefined;
  } finally {
    await handle?.close();
  }
}

function headOf(id: string, { created_at, seconds, runs, sets, overall }: Evaluation): ReportHead {
  return {
    id,
    created_at,
    seconds,
    runs,
    sets: sets.map(({ name, documents, chunks, questions }) => ({
      name,
      documents,
      chunks,
      questions: questions.length,
    })),
    overall,
  };
}

function unknownReport(wanted: string | undefined, isAmbiguous: boolean): QuarryError {
  if (wanted === undefined)
    return new QuarryError(
      'usage-invalid',
      'No evaluation of this project is kept.',
      'Measure it first: quarry eval questions.jsonl',
    );
  return new QuarryError(
    'usage-invalid',
    isAmbiguous ? `Several reports begin with "${wanted}".` : `There is no report "${wanted}".`,
    'List them: quarry report list',
  );
}
