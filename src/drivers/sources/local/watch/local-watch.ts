import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangeHint, SourceWatch } from '../../../../contracts/source.ts';
import { pathScope } from '../../../../core/documents/path-scope.ts';
import { createFileStamps } from '../../../../platform/file-stamps.ts';
import { describeFailure } from '../describe-failure.ts';
import type { LocalSourceOptions } from '../local-source-options.ts';
import type { ResolvedRoot } from '../roots.ts';
import type { Survey } from '../walk/survey.ts';
import { readQueue } from './event-queue.ts';
import { hintOf } from './folder-event.ts';
import type { Refusal } from './folder-watching.ts';
import { reportsEveryChange } from './local-mounts.ts';
import { rootPaths, ruleFilesOf } from './rule-files.ts';
import { watchSingleFolders } from './single-folders.ts';
import { watchWholeTrees } from './whole-trees.ts';

/** What a watch works with. */
export interface LocalWatchParts {
  readonly options: LocalSourceOptions;
  readonly survey: Survey;
  readonly resolveAgain: () => Promise<ResolvedRoot[]>;
  readonly notice: (hint: ChangeHint) => void;
  /** Whether a root is watched as a whole; by default where the system itself can do so. */
  readonly wholeTrees?: boolean;
}

/** A lock older than this was left behind by a git process that has ended. */
const lockMilliseconds = 60_000;

/** Watches the folders that a walk lists, and the files elsewhere that decide what it lists. */
export function createLocalWatch(parts: LocalWatchParts): SourceWatch {
  const { options, survey, resolveAgain, notice } = parts;
  const stamps = createFileStamps();
  const locks = new Set<string>();
  const wholeTrees = parts.wholeTrees ?? ['darwin', 'win32'].includes(process.platform);
  const folders = (wholeTrees ? watchWholeTrees : watchSingleFolders)((event) => {
    const hint = hintOf(event);
    if (hint) notice(hint);
  });

  let isComplete = false;
  const poll = async (): Promise<void> => {
    const [path] = await stamps.changed();
    if (path !== undefined) notice({ kind: 'everything', why: `${path} has changed` });
  };

  return {
    async refresh({ only, signal } = {}) {
      const scope = only && pathScope(only);
      // Followed first: a root that is missing now is reported when it is back.
      await stamps.follow(rootPaths(options));
      folders.begin();
      const roots = await resolveAgain();
      if (!only && !wholeTrees) isComplete = await reportsEveryChange(roots.map(({ folder }) => folder));
      for await (const place of survey(roots, { scope, signal })) {
        if (place.git.gitFolder !== undefined) locks.add(join(place.git.gitFolder, 'index.lock'));
        await stamps.follow(ruleFilesOf(place));
        await place.visitFolders(({ absolute, uri }) =>
          folders.visit({ absolute, uri, isRoot: uri === place.root.prefix }),
        );
      }
      const refusal = folders.end(scope);
      if (refusal) notice(unwatched(refusal));
    },
    poll,
    async isBusy() {
      for (const lock of locks) if (await isFresh(lock)) return true;
      return false;
    },
    async catchUp() {
      if (!isComplete) return false;
      await poll();
      await readQueue();
      return true;
    },
    close: () => folders.close(),
  };
}

async function isFresh(lock: string): Promise<boolean> {
  // No lock is there.
  const made = await stat(lock).catch(() => undefined);
  return made !== undefined && Date.now() - made.mtimeMs < lockMilliseconds;
}

function unwatched({ folders, cause }: Refusal): ChangeHint {
  const isLimit = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
  return {
    kind: 'unwatched',
    folders,
    why: isLimit ? 'the system watches no more of them' : describeFailure(cause),
    remedy: isLimit
      ? 'Raise fs.inotify.max_user_watches, or leave folders out with .quarryignore.'
      : 'Close other programs that watch files, or leave folders out with .quarryignore.',
  };
}
