import type { SkipReason } from './events.ts';

/** Why a path was left out, for a person. */
interface SkipMeaning {
  /** Whether it was meant to be in the index, and could not be read. */
  readonly isFailure: boolean;
  readonly meaning: string;
  /** What a reader may do who wants it in the index; absent where nobody would. */
  readonly remedy?: string;
}

/** What brings the text of pictures into the index. */
export const howToRead = 'to have it read: quarry model add pp-ocrv4';

/** What is said of a file where some of its pages are pictures that nobody has read. */
export const unreadPagesNote = 'have no text layer';

const bringBack =
  'To have it read all the same, add its path with a "!" before it to index.exclude in the settings.';

/** What each reason for leaving a path out means, and what may be done. */
export const skipMeanings: Readonly<Record<SkipReason, SkipMeaning>> = {
  ignored: {
    isFailure: false,
    meaning: 'left out by an ignore file or the settings',
    remedy: bringBack,
  },
  'version-control': { isFailure: false, meaning: 'belongs to version control' },
  dependencies: {
    isFailure: false,
    meaning: 'code of others that was installed',
    remedy: bringBack,
  },
  'build-output': {
    isFailure: false,
    meaning: 'made by a build',
    remedy: bringBack,
  },
  'own-files': { isFailure: false, meaning: "Quarry's own files" },
  'lock-file': { isFailure: false, meaning: 'a list of versions for programs' },
  generated: {
    isFailure: false,
    meaning: 'written by a program',
    remedy: bringBack,
  },
  binary: { isFailure: false, meaning: 'no text' },
  picture: {
    isFailure: false,
    meaning: 'a picture or a scan, whose text is not read',
    remedy: 'To have it read on this machine, run: quarry model add pp-ocrv4',
  },
  'too-large': {
    isFailure: false,
    meaning: 'larger than the limit',
    remedy: 'Raise index.max_file_bytes in the settings, or split the file.',
  },
  empty: { isFailure: false, meaning: 'has no bytes' },
  'not-a-file': { isFailure: false, meaning: 'a link, a pipe or a device' },
  'outside-root': { isFailure: false, meaning: 'leads out of the project' },
  unreadable: {
    isFailure: true,
    meaning: 'could not be opened',
    remedy: 'Look at who may read the file, and at its name.',
  },
  'secret-file': { isFailure: false, meaning: 'made to hold secrets' },
  unsupported: {
    isFailure: true,
    meaning: 'broken, or of a kind that cannot be read',
    remedy: 'Open it in its own program and save it again, or leave it out by index.exclude.',
  },
  'too-old': {
    isFailure: false,
    meaning: 'older than the settings allow',
    remedy: 'Change max_age_days, for commits history.commits, in the settings.',
  },
};

/** What a reason means; a later version may know others. */
export function skipMeaning(reason: string): SkipMeaning {
  return Object.hasOwn(skipMeanings, reason)
    ? skipMeanings[reason as SkipReason]
    : { isFailure: false, meaning: reason };
}
