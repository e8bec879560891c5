import type { Generator, Message } from '../../contracts/generator.ts';
import type { AnswerKind, AnswerOutcome, AnswerSource } from '../../core/answer.ts';
import type { ContextOutcome, ContextSource } from '../../core/context.ts';
import { asQuarryError, QuarryError } from '../../core/errors.ts';
import type { AnswerEvent } from '../../core/events.ts';
import { beginningOf } from '../../core/query.ts';
import { citationOf } from '../../core/text/citation.ts';
import type { AnswerParts, ContextRequest, OpenGenerator } from '../answer-parts.ts';
import { writeContext } from '../context/write-context.ts';
import { type AnswerChecker, checkAnswer } from './check-answer.ts';
import { extractQuotes, leadingQuotes, type Quote, type Similarity } from './extract.ts';
import { rewriteQuery } from './rewrite-query.ts';
import { notInCorpus, systemPrompt } from './system-prompt.ts';

/** How a question is asked. */
export interface QuestionOptions extends Omit<ContextRequest, 'format' | 'neighbours' | 'fence'> {
  /** Earlier turns of the conversation, oldest first. */
  readonly history?: readonly Message[] | undefined;
  /** Whether of the named files only the beginnings are shown, and each is quoted once where no model writes. */
  readonly beginnings?: boolean | undefined;
  /** Whether a model may write the answer, where there is one. */
  readonly generate?: boolean | undefined;
  /** Whether the answer is made from the project at all. */
  readonly retrieve?: boolean | undefined;
}

/** The part of an answer that a writer makes: its kind and text, and what kept it from more. */
interface Written {
  readonly kind: AnswerKind;
  readonly answer: string;
  readonly model?: string;
  readonly basis: Basis;
  readonly isComplete: boolean;
  readonly warnings: readonly QuarryError[];
}

type KnownSource = ContextSource & Pick<AnswerSource, 'onDisk'>;

/** The sources of an answer, in the order of their numbers, and what checks its sentences against them. */
interface Basis {
  readonly sources: readonly KnownSource[];
  readonly checker: AnswerChecker;
}

/** Earlier turns that a model is shown. */
const maxTurns = 6;
/** Characters of such a turn. */
const maxTurn = 2000;

/** Retrieves, answers, and checks the answer while it is written. */
export async function* answerQuestion(
  parts: AnswerParts,
  question: string,
  {
    history = [],
    generate = true,
    retrieve = true,
    manual,
    beginnings = false,
    ...search
  }: QuestionOptions = {},
): AsyncGenerator<AnswerEvent, AnswerOutcome> {
  const query = rewriteQuery(question, history);
  const block: ContextOutcome = retrieve
    ? await writeContext(
        parts,
        query,
        { ...search, ...(manual && { manual }), format: 'sources' },
        question,
        beginnings,
      )
    : { text: question, sources: [], tokens: 0, left: 0, warnings: [], pending: 0 };
  const { sources, warnings, pending, indexed, firstLook } = block;
  yield { type: 'sources-found', query, sources: sources.map(named) };
  const states = await parts.checkOnDisk(sources);
  const basis = basisOf(sources.map((source, index) => ({ ...source, onDisk: states[index] ?? 'gone' })));
  const messages = conversation(block, history, retrieve);
  const written = yield* write(
    parts,
    { question, query, messages, basis, generate, retrieve, beginnings },
    search.signal,
  );
  return {
    answer: written.answer,
    kind: written.kind,
    ...(written.model !== undefined && { model: written.model }),
    query,
    sources: inOrder(written),
    sentences: written.basis.checker.sentences,
    isComplete: written.isComplete,
    warnings: [...warnings, ...written.warnings],
    pending,
    ...(indexed && { indexed }),
    ...(firstLook && { firstLook }),
  };
}

interface WriteRequest {
  readonly question: string;
  /** What was searched for. */
  readonly query: string;
  readonly messages: readonly Message[];
  readonly basis: Basis;
  readonly generate: boolean;
  readonly retrieve: boolean;
  readonly beginnings: boolean;
}

/** Has a model write the answer; without one, or where it fails before its first word, sentences are quoted. */
async function* write(
  parts: AnswerParts,
  request: WriteRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<AnswerEvent, Written> {
  const { basis, retrieve, generate } = request;
  if (basis.sources.length === 0 && retrieve) return yield* notFound(basis);
  const warnings: QuarryError[] = [];
  const opened = generate ? await openGenerator(parts.generator, warnings) : undefined;
  if (opened) {
    const written = yield* generated(parts, opened, request, warnings, signal);
    if (written) return written;
  }
  if (!retrieve) throw warnings[0] ?? noModel();
  return yield* extractive(parts, request, warnings, generate);
}

async function* notFound(basis: Basis): AsyncGenerator<AnswerEvent, Written> {
  yield { type: 'answer-start', kind: 'none' };
  yield { type: 'answer-text', text: notInCorpus };
  return { kind: 'none', answer: notInCorpus, basis, isComplete: true, warnings: [] };
}

/** The generator; where it cannot be opened, that is a warning and the answer is made without it. */
async function openGenerator(
  generator: OpenGenerator,
  warnings: QuarryError[],
): Promise<Generator | undefined> {
  try {
    return await generator.open();
  } catch (thrown) {
    warnings.push(asQuarryError(thrown));
    return undefined;
  }
}

async function* generated(
  { answerTokens: maxTokens, generator: opened }: AnswerParts,
  generator: Generator,
  { messages, basis }: WriteRequest,
  warnings: QuarryError[],
  signal: AbortSignal | undefined,
): AsyncGenerator<AnswerEvent, Written | undefined> {
  const { model } = generator;
  const { checker } = basis;
  let answer = '';
  let isComplete = false;
  const piece = (text: string): AnswerEvent[] => {
    if (text === '') return [];
    const begins: AnswerEvent[] = answer === '' ? [{ type: 'answer-start', kind: 'generated', model }] : [];
    answer += text;
    return [...begins, { type: 'answer-text', text }];
  };
  try {
    for await (const text of generator.generate(messages, { maxTokens, temperature: 0, signal })) {
      yield* piece(checker.push(text));
      if (checker.isRepeating) break;
    }
    isComplete = !checker.isRepeating;
  } catch (thrown) {
    const error = asQuarryError(thrown);
    if (error.code === 'interrupted') throw error;
    if (error.code === 'provider-unreachable') await opened.forget();
    warnings.push(error);
  }
  yield* piece(checker.end());
  const fault = faultOf(answer, isComplete, checker);
  if (fault !== undefined)
    warnings.push(
      new QuarryError(
        'model-failed',
        `${model} ${fault}.`,
        'Choose a larger model, or ask without one (generate: false) for quotes.',
      ),
    );
  return answer === '' ? undefined : { kind: 'generated', answer, model, basis, isComplete, warnings };
}

/** What is wrong with an answer as a whole; undefined where nothing is. */
function faultOf(
  answer: string,
  isComplete: boolean,
  { sentences, isRepeating }: AnswerChecker,
): string | undefined {
  if (isRepeating) return 'repeats itself and was stopped';
  if (!isComplete) return undefined;
  if (answer === '') return 'answered with nothing';
  const checked = sentences.filter(({ verdict }) => verdict !== 'unchecked');
  const isUnsupported = checked.length > 0 && checked.every(({ verdict }) => verdict === 'unsupported');
  return isUnsupported ? 'wrote nothing that a source supports' : undefined;
}

/** What is put before a quote that says otherwise than one before it. */
const lead = { earlier: 'Earlier: ', elsewhere: 'Elsewhere: ' } as const;

async function* extractive(
  parts: AnswerParts,
  { question, query, basis, beginnings }: WriteRequest,
  warnings: readonly QuarryError[],
  isModelMissing: boolean,
): AsyncGenerator<AnswerEvent, Written> {
  const found = beginnings
    ? leadingQuotes(basis.sources)
    : await extractQuotes(question, basis.sources, similarityTo(question, parts));
  // Nothing that can be quoted is no answer.
  if (found.length === 0) return { ...(yield* notFound(basis)), warnings };
  const { quotes, ...numbered } = numberedByUse(found, basis.sources);
  const { sources, checker } = numbered;
  if (quotes.some(({ number }, index) => number !== found[index]?.number))
    yield { type: 'sources-found', query, sources: sources.map(named) };
  yield { type: 'answer-start', kind: 'extractive' };
  const why = isModelMissing ? 'no model writes an answer here' : 'no model was asked';
  const lines = [
    `Quoted from the sources (${why}):`,
    ...quotes.map(({ text, number, against }) => `${against ? lead[against] : ''}“${text}” [${number}]`),
  ];
  let answer = '';
  for (const [index, line] of lines.entries()) {
    const text = checker.push(`${index === 0 ? '' : '\n\n'}${line}`);
    answer += text;
    if (text !== '') yield { type: 'answer-text', text };
  }
  const rest = checker.end();
  if (rest !== '') yield { type: 'answer-text', text: rest };
  return { kind: 'extractive', answer: answer + rest, basis: numbered, isComplete: true, warnings };
}

function basisOf(sources: readonly KnownSource[]): Basis {
  const isStale = (number: number): boolean =>
    ['changed', 'gone'].includes(sources[number - 1]?.onDisk ?? 'gone');
  return { sources, checker: checkAnswer(sources, isStale) };
}

/** Quotes, and their sources numbered as they name them: a reader meets 1 before 2. */
function numberedByUse(
  quotes: readonly Quote[],
  sources: readonly KnownSource[],
): Basis & { readonly quotes: readonly Quote[] } {
  const order = [...new Set([...quotes, ...sources].map(({ number }) => number))];
  const asUsed = <Part extends { readonly number: number }>(part: Part): Part => ({
    ...part,
    number: order.indexOf(part.number) + 1,
  });
  const basis = basisOf(sources.map(asUsed).sort((one, other) => one.number - other.number));
  return { ...basis, quotes: quotes.map(asUsed) };
}

/** The system's words, the last turns, and the question with its sources. */
function conversation(
  { text, sources }: ContextOutcome,
  history: readonly Message[],
  retrieve: boolean,
): Message[] {
  const turns = history
    .slice(-maxTurns)
    .map(({ role, content }) => ({ role, content: content.slice(0, maxTurn) }));
  // Services want conversations to begin with the user.
  while (turns[0]?.role === 'assistant') turns.shift();
  return [
    ...(retrieve ? [{ role: 'system', content: systemPrompt(sources) } as const] : []),
    ...turns,
    { role: 'user', content: text },
  ];
}

/** Cosines with the question, by the project's embedder. */
function similarityTo(question: string, parts: Pick<AnswerParts, 'embedder'>): Similarity {
  return async (texts) => {
    const embedder = await parts.embedder();
    const [asked] = await embedder.embed([beginningOf(question)], { as: 'query' });
    const vectors = await embedder.embed(texts, { as: 'chunk' });
    if (!asked) return [];
    return vectors.map((vector) =>
      vector.reduce((sum, value, index) => sum + value * (asked[index] ?? 0), 0),
    );
  };
}

/** Sources that sentences rest on first, in the order of their numbers. */
function inOrder({ kind, basis: { sources, checker } }: Written): AnswerSource[] {
  const relied = checker.sentences.flatMap(({ cited, supportedBy, verdict }) => {
    // A quote rests on what it was taken from, also where it is too short to be checked.
    if (kind === 'extractive') return cited;
    if (verdict === 'unchecked' || verdict === 'unsupported') return [];
    const both = cited.filter((number) => supportedBy.includes(number));
    return both.length > 0 ? both : supportedBy.slice(0, 1);
  });
  const all = sources.map((source) => ({ ...source, isCited: relied.includes(source.number) }));
  return [...all.filter(({ isCited }) => isCited), ...all.filter(({ isCited }) => !isCited)];
}

function named({ number, uri, place }: ContextSource) {
  return { number, path: uri, citation: place ? citationOf(uri, place) : uri };
}

function noModel(): QuarryError {
  return new QuarryError(
    'generator-missing',
    'No model is set up here, and only a model can answer without the project.',
    'Set [generator], start a model server on this machine, such as Ollama, or ask from the project.',
  );
}
