import { unpackedName } from '../../../../core/document.ts';
import type { SkippedPath } from '../../../../core/events.ts';
import { type DefaultSkip, defaultSkips } from './default-skips.ts';
import { type IgnoreRule, parseIgnoreFile } from './ignore-rules.ts';

/** One entry of a folder as the default skips see it. */
export interface NamedEntry {
  readonly uri: string;
  readonly name: string;
  readonly isFolder: boolean;
  /** The names of everything in the same folder, itself included. */
  readonly siblings: () => ReadonlySet<string>;
}

/** The group and pattern of the default skips that leave an entry out, or nothing. A packed file is what it holds. */
export function findDefaultSkip(entry: NamedEntry): Pick<SkippedPath, 'reason' | 'rule'> | undefined {
  return findByName(entry) ?? (/\.gz$/i.test(entry.name) ? findByName(unpacked(entry)) : undefined);
}

/** Whether a pattern names what is left out because it holds secrets, as `.env`, `*.pem` or `.aws/config` do. */
export function namesSecret(pattern: string): boolean {
  const uri = pattern.replace(/^\/|\/$/g, '');
  const entry = {
    uri,
    name: uri.slice(uri.lastIndexOf('/') + 1),
    isFolder: true,
    siblings: () => new Set<string>(),
  };
  return findDefaultSkip(entry)?.reason === 'secret-file';
}

/** Whether a folder, or one on the way to it, is left out for that reason. */
export function liesInSecret(folder: string): boolean {
  const names = folder.split('/');
  return names.some((_, at) => namesSecret(names.slice(0, at + 1).join('/')));
}

function unpacked(entry: NamedEntry): NamedEntry {
  return { ...entry, name: unpackedName(entry.name), uri: unpackedName(entry.uri) };
}

function findByName(entry: NamedEntry): Pick<SkippedPath, 'reason' | 'rule'> | undefined {
  const name = entry.name.toLowerCase();
  let best = firstOf(byName.get(name), name, entry, undefined);
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    best = firstOf(bySuffix.get(name.slice(dot)), name, entry, best);
  }
  best = firstOf(byRule, name, entry, best);
  return best && { reason: best.skip.reason, rule: `default ${best.pattern} (${best.skip.what})` };
}

/** Whether a new or deleted file with this name can change what is skipped in its folder. */
export function isBesideMarker(name: string): boolean {
  return markers.some((marker) => isMarked(marker, name));
}

interface Candidate {
  readonly skip: DefaultSkip;
  readonly pattern: string;
  readonly order: number;
  readonly foldersOnly: boolean;
  /** Decides where the name alone does not; in lower case. */
  readonly rule?: IgnoreRule | undefined;
  /** Whether the rule matches paths rather than names. */
  readonly isPath?: boolean;
}

const byName = new Map<string, Candidate[]>();
const bySuffix = new Map<string, Candidate[]>();
const byRule: Candidate[] = [];
const markers = [...new Set(defaultSkips.flatMap(({ beside }) => beside ?? []))];

// Nearly all patterns end in a name or in `.extension`: two maps find those that may match an entry, so a long table costs
// nothing.
for (const [order, { skip, pattern }] of defaultSkips
  .flatMap((skip) => skip.patterns.map((pattern) => ({ skip, pattern })))
  .entries()) {
  index({ skip, pattern, order, foldersOnly: pattern.endsWith('/') });
}

function index(candidate: Candidate): void {
  const text = candidate.pattern.replace(/\/$/, '').toLowerCase();
  const [rule] = parseIgnoreFile(text, 'default');
  const ruled = { ...candidate, rule, isPath: text.includes('/') };
  const last = text.slice(text.lastIndexOf('/') + 1);
  const suffix = /^\*[^*?[\\.]*(\.[^*?[\\]+)$/.exec(last)?.[1];
  if (!/[*?[\\]/.test(last)) append(byName, last, last === text ? candidate : ruled);
  else if (suffix) append(bySuffix, suffix, `*${suffix}` === text ? candidate : ruled);
  else byRule.push(ruled);
}

function append(map: Map<string, Candidate[]>, key: string, candidate: Candidate): void {
  map.set(key, [...(map.get(key) ?? []), candidate]);
}

/** The earliest candidate of the table that leaves the entry out, the best one so far included. */
function firstOf(
  candidates: readonly Candidate[] | undefined,
  name: string,
  entry: NamedEntry,
  best: Candidate | undefined,
): Candidate | undefined {
  if (candidates === undefined) return best;
  let first = best;
  for (const candidate of candidates) {
    if (first && first.order <= candidate.order) continue;
    if (candidate.foldersOnly && !entry.isFolder) continue;
    if (!obeys(candidate, name, entry)) continue;
    if (candidate.skip.except?.includes(name) || !standsBeside(candidate.skip, entry)) continue;
    first = candidate;
  }
  return first;
}

function obeys({ rule, isPath }: Candidate, name: string, { uri, isFolder }: NamedEntry): boolean {
  return rule === undefined || rule.matches(isPath ? uri.toLowerCase() : name, name, isFolder);
}

function standsBeside({ beside }: DefaultSkip, entry: NamedEntry): boolean {
  if (!beside) return true;
  const siblings = entry.siblings();
  return beside.some((marker) =>
    marker.startsWith('*') ? [...siblings].some((name) => isMarked(marker, name)) : siblings.has(marker),
  );
}

function isMarked(marker: string, name: string): boolean {
  return marker.startsWith('*') ? name.endsWith(marker.slice(1)) : marker === name;
}
