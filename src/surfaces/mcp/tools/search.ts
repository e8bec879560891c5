import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { Digest, DigestPlace } from '../../../core/digest.ts';
import { isDisabled } from '../../../core/failures/project-disabled.ts';
import { relevanceWord } from '../../../core/relevance.ts';
import { counted } from '../../../core/text/counted.ts';
import { neutralise, neutraliseLine } from '../../../core/text/neutralise.ts';
import type { searchOperation } from '../../../operations/find/search.ts';
import { answerText, joined, type Quoted, quote } from '../fence.ts';
import { type Notes, noteData, noteParts, notesOf } from '../notes.ts';
import { numbered } from '../numbered.ts';
import { perform } from '../perform.ts';
import type { McpTool, ToolContext } from '../tool.ts';

type Result = z.output<typeof searchOperation.output>;

/** Milliseconds after which a search that waits for the model is answered from words alone. */
const modelPatience = 4_000;
/** Milliseconds that a search waits for the first text of a project that is being indexed. */
const firstTextPatience = 15_000;
const firstTextEvery = 500;
/** Chunks that a conversation is taken to have in mind. */
const maxKnown = 300;

/** Finds the places that answer questions. */
export const searchTool: McpTool = {
  name: 'search',
  description:
    'Find the code or text that answers a question: query in plain words, an identifier or an error message; also: more questions in the same call. A strong best hit comes whole, others as one line; max_tokens shows texts of all instead. path: globs, ! excludes. in: one folder. tests: false leaves tests out. type: code, note, email, … since: 7d or a date. project: name, a,b or all. route exact or regex finds every occurrence of a text.',
  operation: 'search',
  fields: {
    query: undefined,
    also: undefined,
    in: undefined,
    path: undefined,
    type: undefined,
    language: undefined,
    tests: undefined,
    since: undefined,
    author: undefined,
    route: undefined,
    top_k: 8,
    max_tokens: undefined,
  },
  unlisted: ['tag', 'kind', 'origin', 'field', 'until', 'code', 'brief', 'full', 'known'],
  isOfProject: true,
  async call(input, context) {
    const { known } = context.session;
    // Equal files of two projects have equal chunks.
    const own = `${(await context.project()).id} `;
    const shown = [...known].filter((key) => key.startsWith(own)).map((key) => key.slice(own.length));
    const { result, isFromWords } = await searchAtOnce({ ...input, known: shown }, context);
    const answers = [result, ...(result.further ?? [])];
    for (const { digest } of answers)
      for (const chunk of digest?.lead?.chunks ?? []) remember(known, `${own}${chunk}`);
    const notes = notesOf(result.warnings);
    if (isFromWords) notes.notes.push('The model is still loading: this answer is from words alone.');
    const [first = dataOf(result), ...further] = answers.map(dataOf);
    return {
      data: { ...first, ...(further.length > 0 && { further }), ...noteData(notes) },
      text: textOf(answers, notes, isDisabled(result.warnings)),
    };
  },
};

/** Remembers a chunk as the newest one. */
function remember(known: Set<string>, chunk: string): void {
  known.delete(chunk);
  known.add(chunk);
  const [oldest] = known;
  if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
}

type Answer = Pick<Result, 'query' | 'hits' | 'passages' | 'digest'>;

/** What is shown of a question as data: passages with their text, and a line for each other place. */
function dataOf({ query, hits, passages, digest }: Answer) {
  const lead = digest?.lead && {
    path: digest.lead.path,
    citation: digest.lead.citation,
    section: digest.lead.name,
    relevance: rounded(digest.lead.relevance),
    text: neutralise(numbered(digest.lead.pieces)),
    ...(digest.lead.facts !== undefined && { facts: neutraliseLine(digest.lead.facts) }),
  };
  const texts = (passages ?? []).map(({ path, lines, section, relevance, text, citation }) => ({
    path,
    ...(lines ? { lines } : { citation }),
    section,
    relevance: rounded(relevance),
    text: neutralise(text),
  }));
  const more = digest
    ? [...digest.places.filter(({ pieces }) => pieces === undefined).map(lineOf), ...digest.weaker]
    : placesElsewhere(hits, passages ?? []);
  const closing = digest ? closingLines(digest) : [];
  const first = digest?.lead ?? digest?.places[0];
  const beside = first?.beside && { ...first, ...first.beside };
  const samples = (digest?.places ?? []).filter(({ pieces }) => pieces !== undefined);
  const sampled = [...(beside ? [beside] : []), ...samples].map(
    ({ path, citation, name, relevance, pieces = [] }) => ({
      path,
      citation,
      section: name,
      relevance: rounded(relevance),
      text: neutralise(numbered(pieces)),
    }),
  );
  return {
    query,
    passages: digest ? [...(lead ? [lead] : []), ...sampled] : texts,
    ...(more.length > 0 && { more }),
    ...(closing.length > 0 && { about: closing }),
  };
}

function rounded(relevance: number): number {
  return Math.round(relevance * 100) / 100;
}

/** A hit on one line. */
function lineOf({ citation, name, relevance, about, was_shown: wasShown }: DigestPlace): string {
  const said = wasShown ? 'shown before; read it to see it whole again' : about;
  return [citation, relevanceWord(relevance), name, said].filter((part) => part !== '').join('  ');
}

/** A hit on one line, and a few lines of it where it has some. */
function quotedPlace(place: DigestPlace): Quoted {
  if (!place.pieces) return quote([lineOf(place)]);
  return quote([lineOf({ ...place, about: '' })], numbered(place.pieces));
}

/** A few lines of the best further place of the first document. */
function quotedBeside({ beside }: Pick<DigestPlace, 'beside'>): Quoted[] {
  if (!beside) return [];
  const { citation, name, pieces } = beside;
  return [quote([`and at ${citation}${name ? `  ${name}` : ''}`], numbered(pieces))];
}

/** What is said below the hits. */
function closingLines(digest: Digest): string[] {
  const { verdict, places, weaker, next, is_long: isLong, words, missing } = digest;
  const reading = isLong ? 'Next, read with for: the question' : 'To see whole, read';
  return [
    ...(next.length > 0 ? [`${reading}: ${next.join('; ')}`] : []),
    ...(weaker.length > 0 ? [`${counted(weaker.length, 'weaker hit')} at ${weaker.join('; ')}`] : []),
    ...(verdict === 'weak' && places.length > 0 ? ['Nothing matches strongly.'] : []),
    ...(words.length > 0 ? [`Words of this project near yours: ${words.join(', ')}.`] : []),
    ...(missing.length > 0 ? [`No text here has: ${missing.join(', ')}.`] : []),
  ];
}

/** The best place of each file of which no passage is shown: what else there is to read, in few words. */
function placesElsewhere(hits: Result['hits'], passages: NonNullable<Result['passages']>): string[] {
  const seen = new Set(passages.map(({ path }) => path));
  const places: string[] = [];
  for (const { path, citation, symbol } of hits) {
    if (seen.has(path)) continue;
    seen.add(path);
    places.push(symbol ? `${citation} ${symbol.name}` : citation);
  }
  return places;
}

function textOf(answers: readonly Answer[], notes: Notes, isOff: boolean): string {
  const parts = answers.flatMap((answer, at): (string | Quoted)[] => [
    ...(answers.length > 1 ? [`Question ${at + 1}:`] : []),
    ...partsOf(answer, isOff),
  ]);
  return answerText([...parts, ...noteParts(notes)]);
}

function partsOf({ hits, passages, digest }: Answer, isOff: boolean): (string | Quoted)[] {
  // Notes of a project that holds nothing say why.
  if (hits.length === 0)
    return isOff ? [] : ['Nothing found.', ...(digest?.missing.length ? [quote(closingLines(digest))] : [])];
  if (digest) {
    const { lead, places } = digest;
    const head = lead && `${lead.citation}  ${relevanceWord(lead.relevance)}  ${lead.name}`;
    return [
      joined([
        ...(lead ? [quote([head ?? ''], numbered(lead.pieces))] : []),
        ...(lead?.facts ? [quote([lead.facts])] : []),
        ...(lead ? quotedBeside(lead) : []),
        ...(lead && lead.further.length > 0 ? [quote([`more at ${lead.further.join('; ')}`])] : []),
        ...places.flatMap((place) => [quotedPlace(place), ...quotedBeside(place)]),
        ...(closingLines(digest).length > 0 ? [quote(closingLines(digest))] : []),
      ]),
    ];
  }
  const blocks = (passages ?? []).map(({ citation, relevance, section, text, lines }) => {
    const isVerbatim = lines !== undefined && lines[1] - lines[0] + 1 === text.split('\n').length;
    const body = isVerbatim ? numbered([{ line: lines[0], text }]) : text;
    return quote([`${citation}  ${relevanceWord(relevance)}${section ? `  ${section}` : ''}`], body);
  });
  const more = placesElsewhere(hits, passages ?? []);
  return [...blocks, ...(more.length > 0 ? ['Also:', quote([more.join('; ')])] : [])];
}

/** Answers soon: from words alone while the model loads, and from what there is while the first index is made. */
async function searchAtOnce(
  input: object,
  context: ToolContext,
): Promise<{ readonly result: Result; readonly isFromWords: boolean }> {
  const until = performance.now() + firstTextPatience;
  for (;;) {
    // Texts within a budget are chosen chunk by chunk.
    const found = await searchOnce(
      { ...input, ...('max_tokens' in input && { by_document: false }) },
      context,
    );
    const isBegun = found.result.hits.length > 0 || !found.result.warnings.some(isUnfinished);
    if (isBegun || performance.now() > until) return found;
    context.report({ phase: 'reading', text: 'Waiting for the first files', done: 0, unit: '' });
    await sleep(firstTextEvery, undefined, { signal: context.signal });
  }
}

function isUnfinished({ code }: { readonly code: string }): boolean {
  return code === 'store-busy' || code === 'index-stale';
}

async function searchOnce(input: object, context: ToolContext) {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const whole = perform(context, 'search', input, signal).then((result) => ({
    result: result as Result,
    isFromWords: false,
  }));
  const usesModel = !('route' in input) || ['hybrid', 'dense'].includes(String(input.route));
  // Where words answer sooner, nobody waits for the other answer any more.
  whole.catch(() => undefined);
  try {
    const soon = usesModel ? sleep(modelPatience, undefined, { signal, ref: false }) : whole;
    const first = await Promise.race([whole, soon]);
    if (first) return first;
    const words = await Promise.race([whole, fromWords(input, context, signal)]);
    // What words do not find may be in a file that is being read at this moment.
    return words.result.hits.length > 0 ? words : await whole;
  } finally {
    stop.abort();
  }
}

async function fromWords(input: object, context: ToolContext, signal: AbortSignal) {
  const result = await perform(context, 'search', { ...input, route: 'text', update: false }, signal);
  return { result: result as Result, isFromWords: true };
}
