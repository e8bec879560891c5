import type { Chunk } from '../../core/chunk.ts';
import type { StageTrace } from '../../core/hit.ts';
import { byScore, type Candidate } from '../candidate.ts';
import { definedBy } from '../definitions.ts';

/** Files that count, best first: what uses something far down the list says nothing of the question. */
const maxFiles = 20;

/** A file with what its candidates define and mention. */
interface FoundFile {
  readonly id: string;
  readonly isCode: boolean;
  /** Of its best candidate. */
  readonly score: number;
  readonly defined: Set<string>;
  readonly mentioned: Set<string>;
}

/** What full support adds, as a share of the highest score. From 0.06 to 0.12 repositories gain, and nothing else loses. */
const share = 0.1;

/**
 * Lifts the best candidate of each file whose definitions other files that were found use: what several fitting files call is
 * what the question is about, though it may say so in fewer words. Candidates come and go by score.
 */
export function withSupport(ranked: Candidate[]): Candidate[] {
  const support = supportOf(filesOf(ranked));
  if (support.size === 0) return ranked;
  const highest = ranked[0]?.score ?? 0;
  const seen = new Set<string>();
  return ranked
    .map((candidate) => {
      const { id } = candidate.match.document;
      const own = seen.has(id) ? undefined : support.get(id);
      seen.add(id);
      if (own === undefined) return candidate;
      const score = share * own * highest;
      const lift: StageTrace = {
        stage: 'rank',
        score,
        note: 'other files that fit use what its file defines',
      };
      return { ...candidate, score: candidate.score + score, trace: [...candidate.trace, lift] };
    })
    .sort(byScore);
}

/** By document, from 0 on. A file shares what it has to say among all that it uses, so that one which uses everything says little. */
function supportOf(files: readonly FoundFile[]): ReadonlyMap<string, number> {
  const [best] = files;
  if (!best || best.score <= 0 || files.length < 2) return new Map();
  const owners = ownersOf(files);
  const sums = new Map<string, number>();
  for (const file of files) {
    if (file.score <= 0) continue;
    const used = new Set([...file.mentioned].flatMap((name) => owners.get(name) ?? []));
    used.delete(file.id);
    for (const id of used) sums.set(id, (sums.get(id) ?? 0) + file.score / best.score / used.size);
  }
  return new Map([...sums].map(([id, sum]) => [id, Math.sqrt(sum)]));
}

function filesOf(ranked: readonly Candidate[]): FoundFile[] {
  const files = new Map<string, FoundFile>();
  for (const { match, score } of ranked) {
    const { id, type } = match.document;
    const known = files.get(id);
    if (!known && files.size >= maxFiles) continue;
    const file = known ?? {
      id,
      isCode: type === 'code',
      score,
      defined: new Set<string>(),
      mentioned: new Set<string>(),
    };
    files.set(id, file);
    for (const name of definedBy(match.chunk)) if (isTelling(name)) file.defined.add(name);
    for (const name of namesIn(match.chunk)) file.mentioned.add(name);
  }
  return [...files.values()];
}

/** The file that defines a name, for those which only one of them defines. */
function ownersOf(files: readonly FoundFile[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const shared = new Set<string>();
  for (const { id, isCode, defined } of files) {
    if (!isCode) continue;
    for (const name of defined) {
      if (owners.has(name)) shared.add(name);
      owners.set(name, id);
    }
  }
  for (const name of shared) owners.delete(name);
  return owners;
}

/** A word in lower case is as likely one of prose. */
function isTelling(name: string): boolean {
  return name.length > 3 && !/^[a-z]+$/.test(name);
}

const known = new WeakMap<Chunk, readonly string[]>();

function namesIn(chunk: Chunk): readonly string[] {
  const names =
    known.get(chunk) ??
    [...new Set(chunk.text.match(/[\p{L}_$][\p{L}\p{N}_$]{3,}/gu) ?? [])].filter(isTelling);
  known.set(chunk, names);
  return names;
}
