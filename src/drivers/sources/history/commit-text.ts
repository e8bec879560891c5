import type { SkipReason } from '../../../core/events.ts';
import type { FileChange } from './commit-collector.ts';
import type { ReadCommit } from './commit-reader.ts';

/** Characters of changes that a commit is kept with. */
export const maxChanges = 8 * 1024;
/** Files of a commit that are listed. */
const maxFiles = 200;

/**
 * A commit as one text: what is said of it, its message, its files, and the changes of those that may be seen. What is left out is
 * said, but not by name where a rule leaves it out.
 */
export function commitText({ record, missing }: ReadCommit, reasonFor: (path: string) => Reason): string {
  const { hash, parents, author, email, message, files, furtherFiles } = record;
  const reasonsFor = ({ path, from }: FileChange): Reason[] => [
    reasonFor(path),
    ...(from === undefined ? [] : [reasonFor(from)]),
  ];
  const seen = files.filter((file) => !reasonsFor(file).some(isHidden));
  const shown = seen.filter((file) => reasonsFor(file).every((reason) => reason === undefined));
  const changes = changesOf(shown);
  const cut = changes.length < shown.filter(({ lines }) => lines.length > 0).length;
  const isShort = cut || changes.some(({ dropped }) => dropped > 0);
  const head = [
    `commit ${hash}`,
    `Author: ${author}${email === '' ? '' : ` <${email}>`}`,
    `Date: ${dateOf(record.authoredAt)}`,
    ...(Math.abs(record.authoredAt - record.committedAt) > day
      ? [`Committed: ${dateOf(record.committedAt)}`]
      : []),
    ...(parents.length > 1 ? [`Merge: ${parents.map((parent) => parent.slice(0, 12)).join(' ')}`] : []),
    ...(missing === undefined ? [] : [`Missing: ${missing}`]),
    ...(isShort ? [`In part: the rest is shown by git show ${hash.slice(0, 12)}`] : []),
  ];
  return [
    head.join('\n'),
    message,
    fileList(seen, files.length - seen.length, furtherFiles),
    ...changes.map(({ file, lines, dropped }) =>
      [`diff ${nameOf(file)}`, ...lines, ...(dropped > 0 ? [`(${dropped} more lines)`] : [])].join('\n'),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const day = 24 * 3600;

/** Why a path is left out by a rule; undefined where it is not. */
export type Reason = SkipReason | undefined;

/** Of what a rule of the user leaves out, or is made to hold secrets, not even the name is shown; of a picture it is. */
function isHidden(reason: Reason): boolean {
  return reason !== undefined && ['ignored', 'secret-file', 'outside-root', 'unreadable'].includes(reason);
}

function dateOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? 'unknown' : date.toISOString().replace('.000Z', 'Z');
}

function fileList(seen: readonly FileChange[], leftOut: number, further: number): string {
  const listed = seen.slice(0, maxFiles);
  const more = seen.length - listed.length + further;
  const lines = [
    ...listed.map((file) => `${file.status} ${nameOf(file)}${sizeOf(file)}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(leftOut > 0 ? [`${leftOut} left out by a rule`] : []),
  ];
  return lines.length === 0 ? '' : ['Files:', ...lines].join('\n');
}

function sizeOf({ added, removed, isBinary }: FileChange): string {
  if (isBinary) return ' (binary)';
  return added + removed === 0 ? '' : ` (+${added} -${removed})`;
}

/** On one line, whatever a path holds. */
function nameOf({ path, from }: FileChange): string {
  const shown = (name: string): string => name.replace(/[\p{Cc}\u2028\u2029]/gu, '\uFFFD');
  return from === undefined ? shown(path) : `${shown(from)} => ${shown(path)}`;
}

interface ShownChange {
  readonly file: FileChange;
  readonly lines: readonly string[];
  readonly dropped: number;
}

/** The changes of as many files as there is room for: small ones whole, and large ones by their beginnings. */
function changesOf(files: readonly FileChange[]): ShownChange[] {
  const changed = files.filter(({ lines }) => lines.length > 0);
  const lengthOf = ({ lines }: FileChange): number => lines.reduce((sum, line) => sum + line.length + 1, 0);
  const rooms = new Map<FileChange, number>();
  let left = maxChanges;
  for (const [at, file] of changed.toSorted((one, other) => lengthOf(one) - lengthOf(other)).entries()) {
    const room = Math.min(lengthOf(file), Math.floor(left / (changed.length - at)));
    rooms.set(file, room);
    left -= room;
  }
  return changed.flatMap((file) => {
    const lines = within(file.lines, rooms.get(file) ?? 0);
    const dropped = file.dropped + file.lines.length - lines.length;
    // The line that says where a change is says nothing alone.
    return lines.length > 1 ? [{ file, lines, dropped }] : [];
  });
}

function within(lines: readonly string[], room: number): readonly string[] {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += line.length + 1;
    return length > room;
  });
  return end < 0 ? lines : lines.slice(0, end);
}
