import type { Chunk } from '../core/chunk.ts';
import type { StageTrace } from '../core/hit.ts';
import { identifierParts, looksLikeIdentifier } from '../core/terms.ts';
import { byScore, type Candidate } from './fuse.ts';

/** One rule that moves a candidate, in the order they are applied. */
interface RankRule {
  readonly name: string;
  /** What is added to the fused score, which lies between 0 and 1. */
  readonly weight: number;
  applies(question: QuestionShape, candidate: Candidate): boolean;
}

interface QuestionShape {
  /** Words of the question that name code, in lower case without separators. */
  readonly names: ReadonlySet<string>;
}

/** Rules as data; a weight of 0.5 lifts a hit over anything found by one searcher alone. */
const rules: readonly RankRule[] = [
  {
    name: 'defines what is asked for',
    weight: 0.5,
    applies: ({ names }, { match }) => definesOneOf(names, match.chunk) && isFirstPart(match.chunk),
  },
  {
    // The rest of a definition that is cut in parts: telling, but not where one wants to start.
    name: 'belongs to what is asked for',
    weight: 0.2,
    applies: ({ names }, { match }) => definesOneOf(names, match.chunk) && !isFirstPart(match.chunk),
  },
];

function definesOneOf(names: ReadonlySet<string>, { symbol, metadata }: Chunk): boolean {
  const defined = [symbol?.name ?? '', ...((metadata.symbols as readonly string[] | undefined) ?? [])];
  return defined.some((name) => name !== '' && names.has(plainName(name)));
}

/** Whether a chunk holds the beginning of its definition; one that is not cut in parts does. */
function isFirstPart({ metadata }: Chunk): boolean {
  return metadata.part === undefined || String(metadata.part).startsWith('1/');
}

/** Applies the ranking rules; each that moves a candidate leaves a note in its trace. */
export function rank(question: string, candidates: readonly Candidate[]): Candidate[] {
  const shape = shapeOf(question);
  return candidates
    .map((candidate) => {
      const applied = rules.filter((rule) => rule.applies(shape, candidate));
      if (applied.length === 0) return candidate;
      const score = candidate.score + applied.reduce((sum, rule) => sum + rule.weight, 0);
      const notes: StageTrace[] = applied.map((rule) => ({
        stage: 'rank',
        score: rule.weight,
        note: rule.name,
      }));
      return { ...candidate, score, trace: [...candidate.trace, ...notes] };
    })
    .sort(byScore);
}

/** Lets at most so many passages of one document stand before others; the further ones follow behind the rest. */
export function spread(candidates: readonly Candidate[], most: number): Candidate[] {
  const taken = new Map<string, number>();
  const behind: Candidate[] = [];
  const ahead = candidates.filter((candidate) => {
    const { id } = candidate.match.document;
    const count = (taken.get(id) ?? 0) + 1;
    taken.set(id, count);
    if (count > most) behind.push(candidate);
    return count <= most;
  });
  return [...ahead, ...behind];
}

function shapeOf(question: string): QuestionShape {
  const words = question.split(/[^\p{L}\p{N}_$]+/u).filter(Boolean);
  // A question of one word asks for that name; in a sentence only words in the shape of code do.
  const named = words.length === 1 ? words : words.filter(looksLikeIdentifier);
  return { names: new Set(named.map(plainName)) };
}

/** `putDocument`, `put_document` and `PutDocument` are one name. */
function plainName(name: string): string {
  return identifierParts(name).join('');
}
