import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { ensureStateFolder, stateFolderOf } from '../../project/state-folder.ts';
import {
  type Evaluation,
  evaluationSchema,
  type ReportHead,
  reportHeadSchema,
} from '../evaluation-result.ts';
import { writeWhole } from './write-report.ts';

/** Results that a project keeps; older ones make room. */
const mostKept = 50;
const fileName = /^(?<id>[\w.-]+)\.ndjson$/;

/**
 * Keeps the result of an evaluation with the project, and returns its id. A file has two lines, what a list shows and the
 * whole result, so that a list of fifty does not read them all.
 */
export async function keepReport(project: string, evaluation: Evaluation): Promise<string> {
  const folder = join(await ensureStateFolder(project), 'reports');
  const id = evaluation.created_at.replaceAll(':', '-');
  // Where files were written is of no interest later, nor to a caller from elsewhere.
  const whole: Evaluation = { ...evaluation, files: [] };
  const lines = [headOf(id, whole), whole].map((line) => `${JSON.stringify(line)}\n`);
  await writeWhole(join(folder, `${id}.ndjson`), lines.join(''));
  for (const old of (await idsIn(folder)).slice(mostKept))
    await rm(join(folder, `${old}.ndjson`), { force: true });
  return id;
}

/** The results that a project keeps, newest first; a file that cannot be read is named by its id. */
export async function listReports(
  project: string,
): Promise<{ readonly reports: readonly ReportHead[]; readonly unreadable: readonly string[] }> {
  const folder = folderOf(project);
  const reports: ReportHead[] = [];
  const unreadable: string[] = [];
  for (const id of await idsIn(folder)) {
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
  const ids = await idsIn(folderOf(project));
  const [id, another] =
    wanted === undefined ? ids.slice(0, 1) : ids.filter((known) => known.startsWith(wanted));
  if (id === undefined || another !== undefined) throw unknownReport(wanted, another !== undefined);
  try {
    const [, whole = ''] = (await readFile(join(folderOf(project), `${id}.ndjson`), 'utf8')).split('\n');
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
async function idsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => fileName.exec(name)?.groups?.id ?? [])
    .sort()
    .reverse();
}

async function firstLine(file: string): Promise<unknown> {
  const handle = await open(file).catch(() => undefined);
  try {
    for await (const line of handle?.readLines({ autoClose: false }) ?? []) return JSON.parse(line);
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
  return undefined;
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
