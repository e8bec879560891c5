import type { z } from 'zod';
import { isKeepingNothing } from '../../../core/failures/keeps-nothing.ts';
import { isDisabled } from '../../../core/failures/project-disabled.ts';
import { relevanceWord } from '../../../core/relevance.ts';
import { counted } from '../../../core/text/counted.ts';
import { beginningOf } from '../../../core/text/shortened.ts';
import type { SearchChunk, SearchHit, SearchPassage } from '../../../operations/find/hit-as-data.ts';
import type { SearchAnswer, searchOperation } from '../../../operations/find/search.ts';
import type { Output } from '../terminal/output.ts';
import { renderDigest, renderNext } from './digest.ts';
import { renderNumbered } from './numbered-lines.ts';

const nothingFound = 'Nothing found. Try other words, or fewer filters.';
const nothingYet =
  'Nothing found so far. Ask again when all files are indexed, or wait for it with --update.';
const onlyWeak = 'All of it is weak: this is only the nearest there is, and may be about something else.';
const nothingToSearch =
  'There is nothing to search: no file here holds text. What was left out, and why: quarry status --skipped';

type Analysis = NonNullable<z.output<typeof searchOperation.output>['analysis']>;

/** Characters of a question above its answer. */
const maxEcho = 60;
/** Longer lines are data; their beginning is enough. */
const shownColumns = 160;

/** What is shown of the hits of each question: a digest, texts of all, or passages. */
export function renderSearch(result: z.output<typeof searchOperation.output>, output: Output): void {
  for (const warning of result.warnings) {
    output.note(`${output.styleNote('yellow', 'warning')} ${warning.message} ${warning.remedy}`);
  }
  const { further = [] } = result;
  for (const [at, answer] of [result, ...further].entries()) {
    if (at > 0) output.result('');
    if (further.length > 0) output.result(output.style('bold', `? ${echoOf(answer.query, output)}`));
    renderAnswer(answer, output);
    if (answer.hits.length === 0 && !isSaidWhy(result)) output.note(whyNothing(result));
  }
  if (output.isPiped) renderNames(result.names ?? [], output);
  renderNext(
    [result, ...further].flatMap(({ query, digest, hits }) =>
      digest && hits.every(({ trace }) => trace === undefined) ? [{ query, digest }] : [],
    ),
    output,
  );
}

/** A question as it is repeated above its answer: for a program, which has it before it, only how it begins. */
function echoOf(query: string, { isPiped }: Output): string {
  return isPiped && query.length > maxEcho ? `${beginningOf(query, maxEcho)}…` : query;
}

/** What the files that were found define: for programs, which read on by names; a person would read past it. */
function renderNames(
  names: NonNullable<z.output<typeof searchOperation.output>['names']>,
  output: Output,
): void {
  if (names.length === 0) return;
  output.result('');
  output.result('Defined in the files that were found (quarry read NAME NAME …):');
  for (const { path, names: defined, is_cut: isCut } of names)
    output.result(`${path}: ${defined.join(', ')}${isCut ? ', …' : ''}`);
}

/** What says that not all files are there yet. */
const notAllThere: readonly string[] = ['index-stale', 'store-busy'];

function whyNothing({ first_look, indexed, warnings }: z.output<typeof searchOperation.output>): string {
  // After a whole run what is stale is only cut as before: all of it was searched.
  const isWhole = indexed !== undefined;
  if (first_look || (!isWhole && warnings.some(({ code }) => notAllThere.includes(code)))) return nothingYet;
  return indexed?.chunks.total === 0 ? nothingToSearch : nothingFound;
}

/** Whether a warning says already why nothing can be found. */
function isSaidWhy({ warnings }: z.output<typeof searchOperation.output>): boolean {
  return isDisabled(warnings) || isKeepingNothing(warnings);
}

function renderAnswer(result: SearchAnswer, output: Output): void {
  const isExplained = result.hits.some(({ trace }) => trace !== undefined);
  if (isExplained && result.analysis) output.result(`${analysisLine(result.analysis)}\n`);
  if (result.passages) {
    const hits = new Map(result.hits.flatMap(chunksOf).map((chunk) => [chunk.chunk, chunk]));
    renderEach(result.passages, output, (passage, place) => renderPassage(passage, place, hits, output));
    const shown = new Set(result.passages.flatMap((passage) => passage.hits));
    const left = result.hits.filter((hit) => !chunksOf(hit).some(({ chunk }) => shown.has(chunk))).length;
    if (left > 0) output.note(`${left} of ${counted(result.hits.length, 'hit')} did not fit (--max-tokens).`);
  } else if (result.digest && !isExplained) renderDigest(result.digest, result.hits, output);
  else renderEach(result.hits, output, renderHit);
  const { occurrences } = result.analysis ?? {};
  if (occurrences && occurrences.total > 0) output.note(occurrencesLine(occurrences));
  const isWeak = result.hits.every(({ relevance }) => relevanceWord(relevance) === 'weak');
  if (isWeak && result.hits.length > 0 && (!result.digest || isExplained)) output.note(onlyWeak);
}

/** The chunks that a hit stands for, its own first. */
function chunksOf(hit: SearchHit): SearchChunk[] {
  return [hit, ...(hit.more ?? [])];
}

function renderEach<Entry>(
  entries: readonly Entry[],
  output: Output,
  render: (entry: Entry, place: number, output: Output) => void,
): void {
  entries.forEach((entry, index) => {
    if (index > 0) output.result('');
    render(entry, index + 1, output);
  });
}

const kindWords = {
  symbol: 'a name from code',
  word: 'a word',
  path: 'a path',
  error: 'an error message',
  code: 'a sentence with a name from code',
  named: 'a question about something named',
  plain: 'a plain question',
} as const;

function analysisLine({ kind, route, dense_share: share }: Analysis): string {
  const weights =
    route === 'exact' || route === 'regex'
      ? `found as it stands (${route})`
      : `${Math.round(share * 100)} % vectors, ${Math.round((1 - share) * 100)} % text`;
  return `read as ${kindWords[kind]}: ${weights}`;
}

function occurrencesLine({ total, documents, is_complete }: NonNullable<Analysis['occurrences']>): string {
  const files = `${counted(total, 'occurrence')} in ${counted(documents, 'file')}`;
  return is_complete ? `${files}.` : `At least ${files}: no more places are counted.`;
}

function renderHit(hit: SearchHit, place: number, output: Output): void {
  renderHead(hit, place, output, hit.section || (hit.symbol?.name ?? ''), hit.occurrences);
  const text = (hit.text ?? '').split('\n').map(shortened).join('\n');
  if (text !== '') renderNumbered([{ ...numberOf(hit), text }], output);
  renderOrigin(hit, output);
  for (const further of hit.more ?? []) {
    const name = further.symbol?.name ?? further.section;
    output.result(
      `   ${output.style('cyan', `more at ${further.citation}`)}${name && `  ${output.style('dim', name)}`}`,
    );
    renderOrigin(further, output);
  }
}

/** Other places with the text of a chunk, and how it got its rank. */
function renderOrigin(hit: SearchChunk, output: Output): void {
  for (const { citation } of hit.also_at ?? [])
    output.result(`   ${output.style('dim', `also at ${citation}`)}`);
  if (hit.trace) for (const line of explain(hit)) output.result(`   ${output.style('magenta', line)}`);
}

function renderPassage(
  passage: SearchPassage,
  place: number,
  hits: ReadonlyMap<string, SearchChunk>,
  output: Output,
): void {
  renderHead(passage, place, output, passage.section);
  if (passage.context !== '') renderText(passage.context, output);
  renderNumbered(
    [{ ...numberOf(passage), text: passage.text.split('\n').map(shortened).join('\n') }],
    output,
  );
  if (passage.is_cut) output.result(`   ${output.style('dim', '│ … cut here: too long to be shown whole')}`);
  const own = passage.hits.flatMap((id) => hits.get(id) ?? []);
  for (const hit of own) {
    if (hit.trace && own.length > 1) output.result(`   ${output.style('dim', hit.citation)}`);
    renderOrigin(hit, output);
  }
}

const wordColours = { strong: 'green', possible: 'yellow', weak: 'dim' } as const;

function renderHead(
  { path, citation, relevance }: Pick<SearchHit, 'path' | 'citation' | 'relevance'>,
  place: number,
  output: Output,
  section: string,
  occurrences?: number,
): void {
  const where = output.link(output.style(['bold', 'cyan'], citation), path);
  const word = relevanceWord(relevance);
  const said = occurrences === undefined ? word : `${counted(occurrences, 'occurrence')} in its file`;
  output.result(`${place}. ${where}  ${output.style(wordColours[word], said)}`);
  if (section !== '') output.result(`   ${output.style('dim', section)}`);
}

function renderText(text: string, output: Output): void {
  for (const line of text.split('\n'))
    output.result(`   ${output.style('dim', '┆')} ${shortened(line.trimEnd())}`);
}

/** The number of the first line, where the text has the lines of the file. */
function numberOf({ lines, text = '' }: Pick<SearchHit, 'lines' | 'text'>): { readonly line?: number } {
  const isVerbatim = lines !== undefined && lines[1] - lines[0] + 1 === text.split('\n').length;
  return isVerbatim ? { line: lines[0] } : {};
}

/** The name of each stage and the unit of its score. */
const stageWords: Readonly<Record<string, readonly [name: string, unit: string]>> = {
  dense: ['vectors', 'cosine'],
  text: ['text', 'BM25'],
  exact: ['exact', 'occurrences'],
  regex: ['regex', 'occurrences'],
  path: ['named file', ''],
  quote: ['quoted', 'occurrences'],
  fuse: ['together', 'score'],
  rerank: ['closer look', 'score'],
};

/** Rank and score at each stage, each rule that moved the hit, and the final score with the relevance. */
function explain({ trace = [], score, relevance }: SearchChunk): string[] {
  const lines = trace.map(({ stage, rank, score: value, note }) => {
    if (note !== undefined) return `${signed(value)}  ${note}`;
    const [name, unit] = stageWords[stage] ?? [stage, 'score'];
    const place = rank === undefined ? '' : `rank ${rank}`;
    return `${name.padEnd(12)} ${place.padEnd(8)} ${unit === '' ? '' : `${unit} ${Number(value.toFixed(3))}`}`;
  });
  return [
    ...lines.map((line) => line.trimEnd()),
    `${'in the end'.padEnd(12)} ${''.padEnd(8)} score ${Number(score.toFixed(3))}, relevance ${relevance.toFixed(2)}`,
  ];
}

function signed(value: number): string {
  return `${value < 0 ? '−' : value > 0 ? '+' : '±'}${Math.abs(value).toFixed(3)}`;
}

function shortened(line: string): string {
  return line.length > shownColumns ? `${beginningOf(line, shownColumns)} …` : line;
}
