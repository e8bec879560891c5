import type { SourceEntry } from '../../../../contracts/source.ts';
import { QuarryError } from '../../../../core/errors.ts';
import { describeFailure } from '../describe-failure.ts';
import { type ResolvedRoot, rootOf } from '../roots.ts';

/** The report of a missing root. */
export function missingRoot(
  root: ResolvedRoot,
  roots: readonly ResolvedRoot[],
  error: QuarryError,
): SourceEntry {
  return report(root, roots, { error, isEmpty: false, rule: describeFailure(error.cause ?? error) });
}

/** The report of a root whose folder cannot be listed; the project folder and an only root stop the walk instead. */
export function unreadableRoot(
  root: ResolvedRoot,
  roots: readonly ResolvedRoot[],
  cause: unknown,
): SourceEntry {
  const rule = describeFailure(cause);
  const error = new QuarryError(
    'file-unreadable',
    `Cannot read the root ${root.folder}: ${rule}.`,
    'Allow reading the folder, or remove it from the roots.',
    { cause },
  );
  if (root.prefix === '' || roots.length === 1) throw error;
  return report(root, roots, { error, isEmpty: false, rule });
}

/** The report of an empty root: a drive that is not mounted leaves such a folder. */
export function emptyRoot(root: ResolvedRoot, roots: readonly ResolvedRoot[]): SourceEntry {
  const error = new QuarryError(
    'file-unreadable',
    `The root ${root.folder} is empty; its indexed documents stay, in case its drive is not mounted.`,
    'Mount the drive; if the files are really gone, remove them from the index with: quarry index --full',
  );
  const rule = 'the root is empty; is its drive mounted? (quarry index --full forgets what was in it)';
  return report(root, roots, { error, isEmpty: true, rule });
}

function report(
  root: ResolvedRoot,
  roots: readonly ResolvedRoot[],
  { error, isEmpty, rule }: { error: QuarryError; isEmpty: boolean; rule: string },
): SourceEntry {
  return {
    kind: 'skipped',
    skipped: { uri: root.prefix, reason: isEmpty ? 'empty' : 'unreadable', rule },
    trouble: { error, isEmpty, holds: (path) => rootOf(roots, path) === root },
  };
}
