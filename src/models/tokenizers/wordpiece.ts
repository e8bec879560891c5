import { createPieceTrie, maxWordLength, type PieceTrie } from './piece-trie.ts';

/** Words beyond ASCII remembered with their pieces; natural text repeats itself, so that most are cut once. */
const rememberedWords = 20_000;
/** So many characters, a query or two, are cut quicker than the trie is built. */
const withoutTrie = 2_000;

/** Cuts text into the tokens of a model and knows the special tokens around them. */
export interface TextTokenizer {
  /** Token numbers of the text, without the special tokens around it. */
  encode(text: string): number[];
  readonly startId: number;
  readonly endId: number;
}

/** The parts of a published `tokenizer.json` that decide how text is cut. */
export interface TokenizerFile {
  readonly model: { readonly type?: string; readonly vocab: Readonly<Record<string, number>> };
}

/**
 * Cuts text into the word pieces of an uncased BERT vocabulary, as a published `tokenizer.json` lists them. The file is
 * asked for at the first use: a search in an index that is up to date counts no tokens.
 */
export function createWordPiece(fileOf: () => TokenizerFile): TextTokenizer {
  let vocabulary: Readonly<Record<string, number>> | undefined;
  let trie: PieceTrie | undefined;
  /** Characters cut so far without the trie. */
  let cut = 0;
  const remembered = new Map<string, readonly number[]>();

  const vocab = (): Readonly<Record<string, number>> => {
    vocabulary ??= fileOf().model.vocab;
    return vocabulary;
  };
  const idOf = (token: string): number => vocab()[token] ?? 0;
  const pieces = (word: string): readonly number[] => {
    const known = remembered.get(word);
    if (known) return known;
    if (remembered.size >= rememberedWords) remembered.clear();
    const ids = cutWord(word, vocab(), idOf('[UNK]'));
    remembered.set(word, ids);
    return ids;
  };
  /** Cuts a text word by word; false where it needs the trie or the full rules. */
  const appendFew = (text: string, ids: number[]): boolean => {
    if (trie || cut + text.length > withoutTrie || !plainAscii.test(text)) return false;
    cut += text.length;
    for (const [word] of text.toLowerCase().matchAll(asciiWordOrMark)) ids.push(...pieces(word));
    return true;
  };

  return {
    get startId() {
      return idOf('[CLS]');
    },
    get endId() {
      return idOf('[SEP]');
    },
    encode(text) {
      const ids: number[] = [];
      if (appendFew(text, ids)) return ids;
      trie ??= createPieceTrie(vocab(), idOf('[UNK]'));
      if (appendAscii(text, trie, ids)) return ids;
      ids.length = 0;
      for (const [word] of normalise(text).matchAll(wordOrMark)) {
        if (plainAscii.test(word)) trie.append(word, 0, word.length, ids);
        else for (const id of pieces(word)) ids.push(id);
      }
      return ids;
    },
  };
}

/** What an ASCII character is to the tokenizer; zero for those that only the full rules can judge. */
const space = 1;
const mark = 2;
const letter = 3;
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[\t\n\r ]/.test(character)) return space;
  if (/[!-/:-@[-`{-~]/.test(character)) return mark;
  return /[0-9A-Za-z]/.test(character) ? letter : 0;
});

/** Cuts a text of plain ASCII in one pass; false, with `ids` unfinished, as soon as it meets anything else. */
function appendAscii(text: string, trie: PieceTrie, ids: number[]): boolean {
  let wordStart = -1;
  for (let at = 0; at < text.length; at += 1) {
    const kind = kinds[text.charCodeAt(at)];
    if (kind === letter) {
      if (wordStart < 0) wordStart = at;
      continue;
    }
    if (kind === undefined || kind === 0) return false;
    if (wordStart >= 0) trie.append(text, wordStart, at, ids);
    wordStart = -1;
    if (kind === mark) trie.append(text, at, at + 1, ids);
  }
  if (wordStart >= 0) trie.append(text, wordStart, text.length, ids);
  return true;
}

/** A run of letters and digits, or a single mark: ASCII punctuation and symbols, or Unicode punctuation. */
const wordOrMark = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu;
const ideograph =
  /[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
const plainAscii = /^[\t\n\r\x20-\x7e]*$/;
const asciiWordOrMark = /[0-9a-z]+|[!-/:-@[-`{-~]/g;

function normalise(text: string): string {
  return text
    .replace(/[\p{C}\ufffd]/gu, (character) => (/[\t\n\r]/.test(character) ? ' ' : ''))
    .replace(ideograph, ' $& ')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

/** Greedy longest match from the left; a word with any unknown part is unknown as a whole. */
function cutWord(
  word: string,
  vocabulary: Readonly<Record<string, number>>,
  unknown: number,
): readonly number[] {
  const characters = [...word];
  if (characters.length > maxWordLength) return [unknown];
  const ids: number[] = [];
  let start = 0;
  while (start < characters.length) {
    let end = characters.length;
    let found: number | undefined;
    while (start < end) {
      const piece = characters.slice(start, end).join('');
      const key = start === 0 ? piece : `##${piece}`;
      if (Object.hasOwn(vocabulary, key)) found = vocabulary[key];
      if (found !== undefined) break;
      end -= 1;
    }
    if (found === undefined) return [unknown];
    ids.push(found);
    start = end;
  }
  return ids;
}
