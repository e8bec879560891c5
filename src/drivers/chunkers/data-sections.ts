import type { ChunkLimits } from '../../contracts/chunker.ts';
import type { TextRange } from './lines.ts';
import { mergeSmall, type TextSection } from './sections.ts';
import { type TokenMeter, trimmedStart } from './token-meter.ts';

/** One value of a map or list with its key or its place. */
export interface DataChild extends DataRange {
  readonly name: string | number;
}

/** A range that may be divided. */
export interface DataRange extends TextRange {
  /** Where its value begins, after brackets that it shares with its parent, and after its key. */
  readonly value?: number | undefined;
}

/** The children of a range in order and without a gap between them; none where it cannot be divided. */
export type Divide = (text: string, range: DataRange, depth: number) => readonly DataChild[];

/** A text to divide and how. */
export interface DataText {
  readonly text: string;
  readonly title: string;
  readonly limits: ChunkLimits;
  readonly meter: TokenMeter;
  readonly divide: Divide;
}

/** Deeper values are cut between lines: the path is long enough, and each level reads its text again. */
const deepestPath = 8;

/** How many names of merged keys a section shows. */
const shownNames = 3;

/** Neighbours that make one section; of many only the names that are shown are kept. */
interface Group extends DataRange {
  readonly count: number;
  readonly names: readonly (string | number)[];
  readonly last: string | number;
}

/** The sections of a data file by top-level key, larger values by their children. */
export function dataSections(data: DataText): TextSection[] {
  return divided(data, { start: 0, end: data.text.length }, [], '$');
}

function divided(data: DataText, range: DataRange, path: readonly string[], keys: string): TextSection[] {
  const { text, limits, meter, divide } = data;
  const depth = path.length;
  const children = depth < deepestPath ? divide(text, range, depth) : [];
  if (children.length === 0) return [section(data, range, path, [keys, keys])];
  const filled = children.filter(({ start, end }) => trimmedStart(text, start, end) < end);
  const groups = filled.map(({ name, ...child }) => ({ ...child, count: 1, names: [name], last: name }));
  return mergeSmall<Group>(groups, limits, meter, joined).flatMap((group) => {
    const inner = [...path, groupName(group)];
    const fits = meter.tokens(group.start, group.end) <= limits.maxTokens;
    const [first = '', last = ''] = [group.names[0], group.last].map((name) => keys + keyText(name ?? ''));
    return fits || group.count > 1
      ? [section(data, group, inner, [first, last])]
      : divided(data, group, inner, first);
  });
}

function joined(first: Group, second: Group): Group {
  return {
    start: first.start,
    end: second.end,
    count: first.count + second.count,
    names: first.names.length > shownNames ? first.names : [...first.names, ...second.names],
    last: second.last,
  };
}

function section(
  { title }: DataText,
  { start, end }: TextRange,
  path: readonly string[],
  [first, last]: readonly [string, string],
): TextSection {
  const name = path.filter((part) => part !== '').join(' > ');
  const header = [title, name].filter((part) => part !== '').join(' > ');
  return { start, end, name, header, place: { kind: 'keys', first, last } };
}

function keyText(name: string | number): string {
  if (name === '') return '';
  if (typeof name === 'number') return `[${name}]`;
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function groupName({ names, last }: Group): string {
  const named = names.filter((name) => name !== '');
  const [first = ''] = named;
  if (named.length < 2) return String(first);
  if (typeof first === 'number') return `${first}-${last}`;
  return named.length <= shownNames ? named.join(', ') : `${named.slice(0, shownNames).join(', ')}, …`;
}
