import { copyFile, lstat, mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Project } from '../calls/project.ts';
import { messageOf, QuarryError } from '../core/errors.ts';
import { projectDisabled } from '../core/failures/project-disabled.ts';
import { containedPath, isHostileUri } from '../platform/contained-path.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { openProject } from '../project/open-project.ts';
import { configFileName } from '../settings/config-file-name.ts';
import type { EvaluationSet, GivenSettings, OpenedPart, SetOptions } from './evaluation-set.ts';
import { endsWithPath, readLabelledQuestions } from './labels/labelled-questions.ts';

/** Reads a user's own labelled questions, to be asked of their project. */
export async function readOwnQuestions(
  file: string,
  project: Project,
  given: GivenSettings,
  options: SetOptions,
): Promise<EvaluationSet> {
  if (!project.settings.enabled) throw projectDisabled(project.folder);
  const { questions, unjudged } = await readLabelledQuestions(file, project.folder, options.signal);
  const limited = questions.slice(0, options.limit);
  const names = namesIn(project.folder, file);
  const part = {
    questions: limited,
    open: (settings: GivenSettings, signal?: AbortSignal) =>
      cutTheSame(given, settings)
        ? openInPlace(project.folder, settings, names)
        : openCopy(project, settings, names, options.cacheFolder, signal),
  };
  return {
    name: basename(file).replace(/\.jsonl?$/i, ''),
    parts: limited.length === 0 ? [] : [part],
    unjudged,
    warnings: [],
  };
}

/** Settings that cut or choose files in another way. */
const indexKeys = /^(chunk|types|origins|max_age|preset|index\.|store\.)/;

/** Whether two sets of given settings lead to an index with the same chunks. */
function cutTheSame(first: GivenSettings, second: GivenSettings): boolean {
  const cutting = (settings: GivenSettings) =>
    JSON.stringify(
      Object.entries(settings)
        .filter(([key]) => indexKeys.test(key))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return cutting(first) === cutting(second);
}

async function openInPlace(folder: string, settings: GivenSettings, names: Names): Promise<OpenedPart> {
  const project = await openProject(folder, { settings });
  return { ...names, project, close: () => project.close() };
}

/** Settings that change how files are cut are tried on a copy of the indexed files, so that the index does not change. */
async function openCopy(
  original: Project,
  settings: GivenSettings,
  names: Names,
  cacheFolder: string,
  signal: AbortSignal | undefined,
): Promise<OpenedPart> {
  const folder = await makeTrialFolder(join(cacheFolder, 'evaluation'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const entries = await original.manifest();
    const indexed = entries.filter(({ uri, status }) => status !== 'skipped' && !isHostileUri(uri));
    for (const { uri } of [...indexed, { uri: configFileName }]) {
      signal?.throwIfAborted();
      const target = join(folder, uri);
      await makeFolder(dirname(target));
      // A file that vanished meanwhile, and content without a file, are not part of the trial.
      await copyRegularFile(original.folder, uri, target).catch(() => undefined);
    }
    const project = await openProject(folder, { settings });
    return { ...names, project, close: () => project.close().finally(remove) };
  } catch (thrown) {
    await remove();
    throw thrown;
  }
}

/** A pipe or a link out of the folder may have taken the place of what was indexed. */
async function copyRegularFile(folder: string, uri: string, target: string): Promise<void> {
  const path = await containedPath(folder, uri);
  if ((await lstat(path)).isFile()) await copyFile(path, target);
}

async function makeTrialFolder(root: string): Promise<string> {
  try {
    await makeFolder(root, 0o700);
    return await mkdtemp(join(root, 'trial-'));
  } catch (cause) {
    throw new QuarryError(
      'store-unusable',
      `${root} cannot be written: ${messageOf(cause)}.`,
      'Free some space, or set QUARRY_CACHE_FOLDER to a folder that may be written.',
      { cause },
    );
  }
}

type Names = Pick<OpenedPart, 'isMeant' | 'isIgnored' | 'nameOf'>;

/** If the file with the questions is indexed, it would be the best answer to each of them. */
function namesIn(folder: string, file: string): Names {
  const own = relative(folder, file).replaceAll('\\', '/');
  return {
    isMeant: (path, uri) => endsWithPath(uri, path),
    isIgnored: (uri) => uri === own,
    nameOf: (uri) => uri,
  };
}
