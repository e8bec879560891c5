import type { ChunkDraft, ChunkLimits } from '../../../contracts/chunker.ts';
import type { CodeSymbol } from '../../../core/chunk.ts';
import { trimmedEnd, trimmedStart } from '../token-meter.ts';
import type { Definition } from './definitions.ts';
import type { Frame, Leaf } from './split.ts';

interface Group {
  readonly leaves: readonly Leaf[];
  readonly tokens: number;
}

/** A group that leaves are still added to. */
interface OpenGroup {
  readonly leaves: Leaf[];
  tokens: number;
}

/** A definition at its place in the file. */
interface Place {
  readonly definition: Definition;
  readonly outer: Frame | undefined;
}

/** Joins leaves under the minimum with their neighbours and describes each chunk. */
export function packLeaves(
  leaves: readonly Leaf[],
  text: string,
  limits: ChunkLimits,
): readonly ChunkDraft[] {
  const groups = absorbStubs(gather(leaves, limits), limits);
  const definitions = groups.map(definitionsIn);
  const totals = new Map<Definition, number>();
  for (const definition of definitions.flat()) totals.set(definition, (totals.get(definition) ?? 0) + 1);
  const seen = new Map<Definition, number>();
  return groups.flatMap((group, index) => {
    for (const definition of definitions[index] ?? []) {
      seen.set(definition, (seen.get(definition) ?? 0) + 1);
    }
    const place = mainPlace(group);
    const total = place === undefined ? 1 : (totals.get(place.definition) ?? 1);
    const part = place === undefined || total === 1 ? undefined : `${seen.get(place.definition)}/${total}`;
    return draftOf(group, place, part, text);
  });
}

/** Every definition the group holds, or holds a part of, once. */
function definitionsIn(group: Group): readonly Definition[] {
  const found = new Set<Definition>();
  for (const leaf of group.leaves) {
    const definition = leaf.definition ?? leaf.frame?.definition;
    if (definition !== undefined) found.add(definition);
  }
  return [...found];
}

function gather(leaves: readonly Leaf[], limits: ChunkLimits): readonly Group[] {
  const groups: OpenGroup[] = [];
  for (const leaf of leaves) {
    const last = groups.at(-1);
    if (last !== undefined && belongs(last, leaf, limits)) {
      last.leaves.push(leaf);
      last.tokens += leaf.tokens;
    } else {
      groups.push({ leaves: [leaf], tokens: leaf.tokens });
    }
  }
  return groups;
}

function belongs(group: Group, leaf: Leaf, limits: ChunkLimits): boolean {
  if (group.leaves[0]?.frame !== leaf.frame || group.tokens + leaf.tokens > limits.targetTokens) return false;
  if (group.tokens < limits.minTokens || leaf.tokens < limits.minTokens) return true;
  return isLoose(group) && leaf.definition === undefined;
}

function isLoose(group: Group): boolean {
  return group.leaves.every((leaf) => leaf.definition === undefined);
}

/**
 * What is still under the minimum joins the smaller neighbour, as long as the two fit the maximum. A bare signature stays
 * with what it introduces, even where the two exceed the maximum by it.
 */
function absorbStubs(groups: readonly Group[], limits: ChunkLimits): readonly Group[] {
  const kept: Group[] = [];
  const waiting = [...groups].reverse();
  for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
    const before = kept.at(-1);
    const after = waiting.at(-1);
    const isSignature = group.leaves.every(({ head }) => head);
    const room = limits.maxTokens + (isSignature ? group.tokens : 0);
    const joinsBefore = before !== undefined && mayAbsorb(before, group, limits.maxTokens);
    const joinsAfter = after !== undefined && mayAbsorb(after, group, room);
    if (group.tokens >= limits.minTokens || !(joinsBefore || joinsAfter)) {
      kept.push(group);
    } else if (joinsBefore && !(joinsAfter && (isSignature || after.tokens < before.tokens))) {
      kept[kept.length - 1] = join(before, group);
    } else if (after !== undefined) {
      waiting[waiting.length - 1] = join(group, after);
    }
  }
  return kept;
}

function mayAbsorb(neighbour: Group, stub: Group, room: number): boolean {
  const sameFrame = neighbour.leaves[0]?.frame === stub.leaves[0]?.frame;
  return (sameFrame || isLoose(stub)) && neighbour.tokens + stub.tokens <= room;
}

function join(first: Group, second: Group): Group {
  return { leaves: [...first.leaves, ...second.leaves], tokens: first.tokens + second.tokens };
}

/** The definition with most of the chunk; one that begins here goes before its members. */
function mainPlace(group: Group): Place | undefined {
  const weights = new Map<Definition, { place: Place; weight: number }>();
  for (const leaf of group.leaves) {
    const place = placeOf(leaf);
    if (place === undefined) continue;
    const weight = leaf.head ? Number.POSITIVE_INFINITY : leaf.tokens;
    const known = weights.get(place.definition)?.weight ?? 0;
    weights.set(place.definition, { place, weight: known + weight });
  }
  let best: { place: Place; weight: number } | undefined;
  for (const candidate of weights.values()) {
    if (best === undefined || candidate.weight > best.weight) best = candidate;
  }
  return best?.place;
}

/** Loose code within a definition that was cut is a part of that definition. */
function placeOf(leaf: Leaf): Place | undefined {
  if (leaf.definition !== undefined) return { definition: leaf.definition, outer: leaf.frame };
  return leaf.frame;
}

function draftOf(
  group: Group,
  place: Place | undefined,
  part: string | undefined,
  text: string,
): readonly ChunkDraft[] {
  const from = group.leaves[0]?.start ?? 0;
  const to = group.leaves.at(-1)?.end ?? from;
  const start = trimmedStart(text, from, to);
  const end = trimmedEnd(text, start, to);
  if (start >= end) return [];
  const symbols = [...new Set([...(place ? [place.definition.name] : []), ...namesOf(group)])];
  const symbol = place === undefined ? undefined : symbolOf(place);
  const metadata = { ...(symbols.length > 0 ? { symbols } : {}), ...(part === undefined ? {} : { part }) };
  const section = symbol === undefined ? [] : [...symbol.scope, symbol.name];
  return [
    {
      start,
      end,
      header: headerOf(group),
      section: section.join(' > '),
      ...(symbol === undefined ? {} : { symbol }),
      ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    },
  ];
}

function namesOf(group: Group): readonly string[] {
  return group.leaves.flatMap((leaf) => {
    const opened = leaf.head && leaf.frame !== undefined ? [leaf.frame.definition.name] : [];
    return [...opened, ...(leaf.definition?.names ?? leaf.names)];
  });
}

/** The signatures of the definitions that the chunk is a part of, outermost first. */
function headerOf(group: Group): string {
  const frame = group.leaves[0]?.frame;
  const enclosing = group.leaves.some((leaf) => leaf.head) ? frame?.outer : frame;
  return framesOf(enclosing)
    .map((outer) => outer.definition.signature())
    .join('\n');
}

function symbolOf({ definition, outer }: Place): CodeSymbol {
  const names = framesOf(outer).map((frame) => frame.definition.name);
  const exported = definition.exported();
  return {
    name: definition.name,
    kind: definition.kind,
    signature: definition.signature(),
    scope: [...names, ...definition.qualifiers],
    ...(exported === undefined ? {} : { exported }),
  };
}

function framesOf(frame: Frame | undefined): readonly Frame[] {
  const frames: Frame[] = [];
  for (let current = frame; current !== undefined; current = current.outer) frames.unshift(current);
  return frames;
}
