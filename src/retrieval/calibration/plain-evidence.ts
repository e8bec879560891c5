import { strongFrom } from '../../core/relevance.ts';
import { plainWords } from '../../core/text/terms.ts';
import type { Candidate } from '../candidate.ts';
import { declaresNamed } from '../definitions.ts';
import { type AnalysedQuery, holdsLiteral, mayBeName } from '../query/analyse-query.ts';
import { declares } from '../rules/rules.ts';
import { ownWordPresenceOf, presenceOf, wholePresenceOf } from './coverage.ts';

/** What can be said of chunks without any model. */
export interface PlainEvidence {
  /** The least relevance of each chunk, whatever else is known of it. */
  readonly atLeast: readonly number[];
  /** The most that each chunk can have. */
  readonly atMost: readonly number[];
}

/** A word that no more documents have tells them apart from all others. */
const fewDocuments = 5;
/** A name from code in a sentence is one of several things that are asked, so that fewer chunks must have it: of these two in three were judged right. */
const fewChunks = 3;
/** For a chunk that has all that is asked for, of which something stands in few documents. */
const holdsAll = strongFrom;
/** For the same behind a hit that lacks a word of several: all that stands above has as much, which would be called strong for it. */
const holdsAllBehind = strongFrom - 0.01;
/** For the definition of a name that is asked for, and for a copied text where it stands. */
const defines = 0.7;
/** Where nothing found has a single word of the query, the nearest meaning is a guess. */
const guess = 0.29;

/**
 * A curve is fitted on questions, and a word or a name is none: it has next to no meaning to a vector, and no rivals. So what is plainly there
 * is said so: a chunk with all the words of the query is relevant where few documents have one of them, and so is the definition of the name that
 * is the query, and a copied text. And a chunk without any part of the name, or where nothing found has a word of the query, is no more than a guess.
 */
export function plainEvidence(query: AnalysedQuery, ranked: readonly Candidate[]): PlainEvidence {
  const isName = mayBeName(query.kind);
  const isLookup = isName || query.keywords.length > 0;
  const wanted = isName ? plainWords(query.text) : isLookup ? query.keywords : query.words;
  // Two words that are begun alike somewhere are not what is asked for: "rate limiting" is not "rather limited".
  const presenceIn = isName ? wholePresenceOf : isLookup ? ownWordPresenceOf : presenceOf;
  const presence = presenceIn(wanted, ranked);
  const holders = ranked.filter((_, place) => wanted.length > 0 && presence[place]?.every(Boolean));
  const isRare = new Set(holders.map(({ match }) => match.document.id)).size <= fewDocuments;
  const isBehind = !isName && wanted.length > 1 && presence[0]?.every(Boolean) !== true;
  const held = isLookup ? presenceOf(query.words, ranked) : presence;
  const named = query.codeNames.flatMap((name) => {
    const rows = wholePresenceOf(name, ranked).map((row) => row.length > 0 && row.every(Boolean));
    return rows.filter(Boolean).length <= fewChunks ? [rows] : [];
  });
  const isGuess = wanted.length > 0 && held.every((row) => !row.includes(true));
  return {
    atLeast: ranked.map((candidate, place) => {
      if (isMeant(query, candidate)) return defines;
      if (query.literal !== '' && holdsLiteral(candidate.match.chunk.text, query.literal)) return defines;
      const hasAll = isLookup && wanted.length > 0 && presence[place]?.every(Boolean);
      const isNamed = named.some((rows) => rows[place]);
      if (isNamed) return holdsAll;
      return hasAll && isRare ? (isBehind ? holdsAllBehind : holdsAll) : 0;
    }),
    atMost: held.map((row) => (isGuess || (isName && !row.includes(true)) ? guess : 1)),
  };
}

/** Whether it is the definition of the name that is asked for. */
function isMeant({ kind, defined }: AnalysedQuery, { match, trace }: Candidate): boolean {
  if (defined !== '' && declaresNamed(defined, match.chunk)) return true;
  return kind === 'symbol' && trace.some(({ note }) => note === declares);
}
