import type { SkippedPath } from '../../../core/events.ts';
import { type DefaultSkip, defaultSkips } from './default-skips.ts';
import { type IgnoreRule, parseIgnoreFile } from './ignore-rules.ts';

/** One entry of a folder as the default skips see it. */
export interface NamedEntry {
  readonly uri: string;
  readonly name: string;
  readonly isFolder: boolean;
  /** The names of everything in the same folder, itself included. */
  readonly siblings: ReadonlySet<string>;
}

/** The group and pattern of the default skips that leave an entry out, or nothing. */
export function findDefaultSkip(entry: NamedEntry): Pick<SkippedPath, 'reason' | 'rule'> | undefined {
  const name = entry.name.toLowerCase();
  let best: Candidate | undefined;
  for (const candidate of candidatesFor(name, entry)) {
    if (best && best.order <= candidate.order) continue;
    if (candidate.foldersOnly && !entry.isFolder) continue;
    if (candidate.skip.except?.includes(name) || !standsBeside(candidate.skip, entry.siblings)) continue;
    best = candidate;
  }
  return best && { reason: best.skip.reason, rule: `default ${best.pattern} (${best.skip.what})` };
}

/** Whether the coming or going of a file with this name can change what is skipped beside it. */
export function isBesideMarker(name: string): boolean {
  return markers.some((marker) => isMarked(marker, name));
}

interface Candidate {
  readonly skip: DefaultSkip;
  readonly pattern: string;
  readonly order: number;
  readonly foldersOnly: boolean;
}

const byName = new Map<string, Candidate[]>();
const bySuffix = new Map<string, Candidate[]>();
const markers = [...new Set(defaultSkips.flatMap(({ beside }) => beside ?? []))];
const byRule: { candidate: Candidate; rule: IgnoreRule }[] = [];

// Nearly all patterns are a name or `*.extension`, which two maps answer at once however long the table grows.
for (const [order, skip] of defaultSkips.entries()) {
  for (const pattern of skip.patterns) index({ skip, pattern, order, foldersOnly: pattern.endsWith('/') });
}

function index(candidate: Candidate): void {
  const text = candidate.pattern.replace(/\/$/, '').toLowerCase();
  if (/^[^*?[\\/]+$/.test(text)) append(byName, text, candidate);
  else if (/^\*\.[^*?[\\/]+$/.test(text)) append(bySuffix, text.slice(1), candidate);
  else byRule.push(...parseIgnoreFile(text, 'default').map((rule) => ({ candidate, rule })));
}

function append(map: Map<string, Candidate[]>, key: string, candidate: Candidate): void {
  map.set(key, [...(map.get(key) ?? []), candidate]);
}

function* candidatesFor(name: string, entry: NamedEntry): Generator<Candidate> {
  yield* byName.get(name) ?? [];
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    yield* bySuffix.get(name.slice(dot)) ?? [];
  }
  const uri = entry.uri.toLowerCase();
  for (const { candidate, rule } of byRule) {
    if (rule.matches(uri, name, entry.isFolder)) yield candidate;
  }
}

function standsBeside(skip: DefaultSkip, siblings: ReadonlySet<string>): boolean {
  if (!skip.beside) return true;
  return skip.beside.some((marker) =>
    marker.startsWith('*') ? [...siblings].some((name) => isMarked(marker, name)) : siblings.has(marker),
  );
}

function isMarked(marker: string, name: string): boolean {
  return marker.startsWith('*') ? name.endsWith(marker.slice(1)) : marker === name;
}
