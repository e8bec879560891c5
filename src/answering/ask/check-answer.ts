import type { CheckedSentence } from '../../core/answer.ts';
import type { ContextSource } from '../../core/context.ts';
import { terms } from '../../core/text/terms.ts';
import { cleanPieces } from './clean-pieces.ts';
import { sentencesOf } from './sentences.ts';
import {
  type Claim,
  claimOf,
  type Evidence,
  evidenceOf,
  hasQuote,
  supportBound,
  supportOf,
} from './support.ts';

/** Checks an answer as it is written. */
export interface AnswerChecker {
  /** What of the answer can be shown now, with marks after sentences that failed. */
  push(piece: string): string;
  end(): string;
  readonly sentences: readonly CheckedSentence[];
  /** Numbers that were cited and belong to no source; they are left out of the text. */
  readonly invented: readonly number[];
  /** Whether one sentence has come so often that nothing else can be expected. */
  readonly isRepeating: boolean;
}

/** Times that a sentence is written until its writer is taken to be stuck. */
const maxRepeated = 3;

/** What is put after a sentence that cannot be relied on. */
export const marks = { unsupported: '[unsupported]', stale: '[source changed]' } as const;

/** A sentence that says that there is no answer needs no source. */
const refusal =
  /\bnot in the corpus\b|\b(?:sources?|context|documents?|text|information)\b.{0,40}\b(?:do(?:es)?n[o']t|cannot|not|no)\b.{0,30}\b(?:contain|say|mention|provide|hold|have|specify|answer|include)|\bno (?:information|answer|mention)\b/i;

/** What a small model repeats of its prompt claims nothing. */
const ofPrompt = /^\s*(?:context|question|instructions?)\s*:/i;

/** Checks what is written against the sources; `isStale` says whether the file of a source no longer holds its text. */
export function checkAnswer(
  sources: readonly ContextSource[],
  isStale: (number: number) => boolean = () => false,
): AnswerChecker {
  const evidence = sources.map(({ text, signatures }) => evidenceOf(`${signatures}\n${text}`));
  const texts = sources.map(({ text }) => text);
  const cleaner = cleanPieces(sources.length, (address) => texts.some((text) => text.includes(address)));
  const sentences: CheckedSentence[] = [];
  /** The text since the end of the last whole sentence, and how much of it is shown. */
  let open = '';
  let shown = 0;
  let isInCode = false;
  /** Whether a quotation continues: its source is named after it. */
  let isQuoting = false;
  const written = new Map<string, number>();
  let isRepeating = false;

  /** Remembers a sentence of prose that says something. */
  const count = (text: string): void => {
    const said = terms(text.replace(/\[\d+\]/g, '')).join(' ');
    if (said === '') return;
    const times = (written.get(said) ?? 0) + 1;
    written.set(said, times);
    isRepeating ||= times >= maxRepeated;
  };
  const judge = (text: string): CheckedSentence => {
    const hasFence = text.includes('```');
    const isCode = isInCode || hasFence;
    if (hasFence && (text.split('```').length - 1) % 2 === 1) isInCode = !isInCode;
    if (!isCode) count(text);
    const checked = judged(text, isCode ? undefined : claimOf(text), evidence, isStale);
    sentences.push(checked);
    return checked;
  };
  /** Shows the open text up to here, and what has to be said of the sentence that ends there. */
  const close = (end: number): string => {
    const text = open.slice(0, end);
    const body = text.trimEnd();
    const rest = open.slice(shown, Math.max(shown, body.length));
    const space = text.slice(Math.max(shown, body.length));
    open = open.slice(end);
    shown = 0;
    if (body === '') return rest + space;
    isQuoting = goesOn(text, isQuoting);
    return rest + noteOn(judge(body), isQuoting) + space;
  };
  const run = (isLast: boolean): string => {
    let text = '';
    const found = sentencesOf(open);
    for (const { text: sentence } of isLast ? found : found.slice(0, -1)) text += close(sentence.length);
    // White space is shown with what follows it: a mark stands right after its sentence.
    const end = open.trimEnd().length;
    if (end > shown) {
      text += open.slice(shown, end);
      shown = end;
    }
    return text;
  };
  return {
    sentences,
    invented: cleaner.invented,
    get isRepeating() {
      return isRepeating;
    },
    push(piece) {
      open += cleaner.push(piece);
      return run(false);
    },
    end() {
      open += cleaner.end();
      return run(true).trimEnd();
    },
  };
}

function judged(
  text: string,
  claim: Claim | undefined,
  evidence: readonly Evidence[],
  isStale: (number: number) => boolean,
): CheckedSentence {
  const cited = [...new Set([...text.matchAll(/\[(\d{1,3})\]/g)].map(([, digits]) => Number(digits)))].filter(
    (number) => number >= 1 && number <= evidence.length,
  );
  const nothing = { text, cited, supportedBy: [], support: 0 };
  if (!claim || /\?\s*$/.test(text) || /:$/.test(text) || refusal.test(text) || ofPrompt.test(text))
    return { ...nothing, verdict: 'unchecked' };
  const supports = evidence.map((source, index) => ({
    number: index + 1,
    support: hasQuote(text, source) ? 1 : supportOf(claim, source),
  }));
  const supporting = supports
    .filter(({ support }) => support >= supportBound)
    .sort((one, other) => other.support - one.support)
    .map(({ number }) => number);
  const support = Math.max(0, ...supports.map((source) => source.support));
  const relied = cited.some((number) => supporting.includes(number))
    ? supporting.filter((number) => cited.includes(number))
    : supporting;
  const verdict = relied.length === 0 ? 'unsupported' : relied.every(isStale) ? 'stale' : 'supported';
  return { text, cited, supportedBy: supporting, support, verdict };
}

/** Whether a quotation is open after a text; none goes over a paragraph. */
function goesOn(text: string, before: boolean): boolean {
  const [opened, closed] = [text.lastIndexOf('“'), text.lastIndexOf('”')];
  return opened === closed ? before && !/\n\s*\n/.test(text.trim()) : opened > closed;
}

/** What is shown after a sentence: why it cannot be relied on, or the source that it should have cited. */
function noteOn({ verdict, cited, supportedBy }: CheckedSentence, isQuoting: boolean): string {
  if (verdict === 'unsupported') return ` ${marks.unsupported}`;
  const [best] = supportedBy;
  const isCited = cited.some((number) => supportedBy.includes(number));
  const added = best === undefined || isCited || isQuoting ? '' : ` [${best}]`;
  return verdict === 'stale' ? `${added} ${marks.stale}` : added;
}
