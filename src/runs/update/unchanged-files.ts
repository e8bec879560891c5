import { statSync } from 'node:fs';
import { join } from 'node:path';
import { keptFolderOf } from '../../added/kept-folder.ts';
import type { Store } from '../../contracts/store.ts';
import type { IndexSummary } from '../../core/index-summary.ts';
import type { Lookout } from '../../indexing/watching/watched.ts';
import { type Environment, userConfigFolder } from '../../platform/environment.ts';
import { hasStateFolder } from '../../state-folder/state-folder.ts';
import { sourcesFileName } from '../../user/named-sources.ts';

/** For so many milliseconds after a scan a watch is believed: some changes are reported by no system. */
const believedFor = 30_000;

/** What is worked with. */
export interface UnchangedFilesParts {
  readonly folder: string;
  readonly environment: Environment;
  readonly store: () => Promise<Store>;
  /** Whether the settings are others by now than those the project was opened with. */
  readonly isOutdated: () => Promise<boolean>;
}

/** Files and index at one moment, while a watch sees every change of the files. */
export interface WatchedMoment {
  readonly at: number;
  readonly lookout: Lookout;
  readonly changes: number;
  readonly store: Store;
  readonly revision: number;
  /** Of the folder with added content, which is not watched. */
  readonly keptAt: number | undefined;
  /** Of the record of sources that the user has named. */
  readonly namedAt: number | undefined;
}

/**
 * Remembers that a scan found nothing to do, so that no other is needed while a watch of the same files has seen no change
 * and nobody has written the index.
 */
export interface UnchangedFiles {
  /** From now on asks this watch; nobody where there is none. */
  follow(lookout: Lookout | undefined): void;
  /** This moment; undefined where no watch sees every change, so that only a scan can tell. */
  look(): Promise<WatchedMoment | undefined>;
  /** The summary of the scan that holds at this moment still, if one does. */
  summaryAt(moment: WatchedMoment): IndexSummary | undefined;
  /** Notes a scan that began after this moment and failed nowhere. */
  scanned(moment: WatchedMoment, summary: IndexSummary): Promise<void>;
}

/** Nothing is known yet. */
export function createUnchangedFiles({
  folder,
  environment,
  store,
  isOutdated,
}: UnchangedFilesParts): UnchangedFiles {
  const namesFile = join(userConfigFolder(environment), sourcesFileName);
  let current: Lookout | undefined;
  let known: { readonly moment: WatchedMoment; readonly summary: IndexSummary } | undefined;
  return {
    follow(lookout) {
      current = lookout;
      known = undefined;
    },
    async look() {
      const lookout = current;
      if (!lookout || !hasStateFolder(folder) || (await isOutdated())) return undefined;
      const at = performance.now();
      const changes = await lookout.changesSoFar();
      if (changes === undefined) return undefined;
      const opened = await store();
      return {
        at,
        lookout,
        changes,
        store: opened,
        revision: (await opened.state()).revision,
        keptAt: changedAt(keptFolderOf(folder)),
        namedAt: changedAt(namesFile),
      };
    },
    summaryAt(moment) {
      if (!known || moment.at - known.moment.at > believedFor || !areSame(moment, known.moment))
        return undefined;
      return known.summary;
    },
    async scanned(moment, summary) {
      known = undefined;
      // What the scan has changed is confirmed by the next one.
      if (hasChanged(summary) || (await store()) !== moment.store) return;
      // Taken again, since a run notes its time in the index.
      known = { moment: { ...moment, revision: (await moment.store.state()).revision }, summary };
    },
  };
}

function hasChanged({ documents, chunks }: IndexSummary): boolean {
  return documents.indexed + documents.deleted + chunks.written + chunks.embedded + chunks.cached > 0;
}

function areSame(one: WatchedMoment, other: WatchedMoment): boolean {
  return (
    one.lookout === other.lookout &&
    one.changes === other.changes &&
    one.store === other.store &&
    one.revision === other.revision &&
    one.keptAt === other.keptAt &&
    one.namedAt === other.namedAt
  );
}

function changedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
