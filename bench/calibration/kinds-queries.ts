import { createHash } from 'node:crypto';
import { looksLikeIdentifier, plainWords } from '../../src/core/text/terms.ts';
import type { LineRange } from '../../src/evaluation/labels/judgement.ts';

/** A file of a corpus. */
export interface CorpusFile {
  readonly path: string;
  readonly content: string;
  /** What is asked about it is reported under this. */
  readonly type: 'code' | 'docs' | 'mail' | 'logs';
}

/** A query, and what answers it: chunks with all of these words, or these lines. */
export interface KindQuery {
  readonly kind: string;
  readonly type: CorpusFile['type'] | 'any';
  readonly text: string;
  readonly words?: readonly string[];
  readonly places?: readonly { readonly path: string; readonly lines: LineRange }[];
}

/** A word that no more files of a corpus have is rare there. */
const rareFiles = 2;
/** Queries of each kind that are made of one file, at most. */
const perFile = 2;

/** Queries that are made of the files by rule; each kind of each file is chosen by a hash, so that a repeated run asks the same. */
export function queriesByRule(files: readonly CorpusFile[]): KindQuery[] {
  const counts = new Map<string, number>();
  for (const { content } of files)
    for (const word of new Set(plainWords(content))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isRare = (word: string) => (counts.get(plainWords(word)[0] ?? '') ?? 0) <= rareFiles;
  return files.flatMap((file) => {
    const content = askedOf(file);
    const written = [...new Set(content.match(/[\p{L}_$][\p{L}\p{N}_$]+/gu) ?? [])].filter(isRare);
    const plain = written.filter((word) => /^\p{L}{5,20}$/u.test(word) && !looksLikeIdentifier(word));
    const names = written.filter((word) => looksLikeIdentifier(word) && word.length > 5);
    const lines = content.split('\n').map((line) => line.trim());
    const copied = lines.filter((line) => isSentence(line) && plainWords(line).some(isRare));
    const messages = [...content.matchAll(/["'`]((?:[^"'`\n\\$%{]){20,90})["'`]/g)].map(
      ([, text = '']) => text,
    );
    const make = (kind: string, texts: readonly string[], written = (text: string) => text) =>
      chosen(texts, `${kind} ${file.path}`).map(
        (text): KindQuery => ({ kind, type: file.type, text: written(text), words: plainWords(text) }),
      );
    return [
      ...make('word', plain),
      ...make('name', names),
      ...make('two words', pairsIn(lines, isRare)),
      ...make('copied text', copied),
      ...make('quoted error', messages.filter(isSentence), (text) => `Error: ${text}`),
      ...make('question for a name', names, (name) => `where is ${name} used?`),
      ...make('follow-up', names, (name) => `and what about ${name}?`),
    ];
  });
}

/** What no file answers: words that nobody knows, and questions about something else. */
export function queriesOffTopic(): KindQuery[] {
  const unknown = ['zqxv unobtainium', 'frobnicate wugglesnap', 'qwyjibo', 'blorptastic zimzam protocol'];
  const general = [
    'how long do I boil an egg',
    'who won the world cup in 1966',
    'best hiking trails in the alps',
    'symptoms of a vitamin d deficiency',
    'how do I prune an apple tree',
    'what is the capital of mongolia',
    'recipe for sourdough bread',
    'average salary of a nurse',
    'how do volcanoes erupt',
    'when was the magna carta signed',
  ];
  const asked =
    (kind: string) =>
    (text: string): KindQuery => ({ kind, type: 'any', text });
  return [...unknown.map(asked('words nobody knows')), ...general.map(asked('general question'))];
}

/** Nobody asks for the lines above a mail: its subject begins as the mail does. */
function askedOf({ type, content }: CorpusFile): string {
  return type === 'mail' ? content.slice(content.indexOf('\n\n')) : content;
}

function isSentence(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word));
  return words.length >= 4 && words.length <= 14;
}

/** Two rare words of one line. */
function pairsIn(lines: readonly string[], isRare: (word: string) => boolean): string[] {
  return lines.flatMap((line) => {
    const rare = (line.match(/\p{L}{5,20}/gu) ?? []).filter(isRare);
    return rare.length >= 2 && rare[0] !== rare[1] ? [`${rare[0]} ${rare[1]}`] : [];
  });
}

function chosen(texts: readonly string[], seed: string): string[] {
  const keyOf = (text: string) => createHash('sha256').update(`${seed} ${text}`).digest('hex');
  return [...new Set(texts)]
    .map((text) => ({ text, key: keyOf(text) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, perFile)
    .map(({ text }) => text);
}
