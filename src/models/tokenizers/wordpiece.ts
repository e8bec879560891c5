import { createPieceTrie, maxWordLength, type PackedPieces, type PieceTrie } from './piece-trie.ts';

/** Words beyond ASCII remembered with their pieces; natural text repeats itself, so that most are cut once. */
const rememberedWords = 20_000;

/** Cuts text into the tokens of a model and knows the special tokens around them. */
export interface TextTokenizer {
  /** Token numbers of the text, without the special tokens around it. */
  encode(text: string): number[];
  readonly startId: number;
  readonly endId: number;
}

/** Cuts text into the word pieces of an uncased BERT vocabulary. It is asked for at the first use: a search in an index that is up to date counts no tokens. */
export function createWordPiece(packed: () => PackedPieces): TextTokenizer {
  let opened: PieceTrie | undefined;
  const remembered = new Map<string, readonly number[]>();

  const trie = (): PieceTrie => {
    opened ??= createPieceTrie(packed());
    return opened;
  };
  const idOf = (token: string): number => trie().idOf(token) ?? 0;
  const pieces = (word: string): readonly number[] => {
    const known = remembered.get(word);
    if (known) return known;
    if (remembered.size >= rememberedWords) remembered.clear();
    const ids = cutWord(word, trie());
    remembered.set(word, ids);
    return ids;
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
      const ofAscii = trie();
      if (appendAscii(text, ofAscii, ids)) return ids;
      ids.length = 0;
      for (const [word] of normalise(text).matchAll(wordOrMark)) {
        if (plainAscii.test(word)) ofAscii.append(word, 0, word.length, ids);
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

function normalise(text: string): string {
  return text
    .replace(/[\p{C}\ufffd]/gu, (character) => (/[\t\n\r]/.test(character) ? ' ' : ''))
    .replace(ideograph, ' $& ')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

/** Greedy longest match from the left; a word with any unknown part is unknown as a whole. */
function cutWord(word: string, trie: PieceTrie): readonly number[] {
  const unknown = [trie.idOf('[UNK]') ?? 0];
  const characters = [...word];
  if (characters.length > maxWordLength) return unknown;
  const ids: number[] = [];
  let start = 0;
  while (start < characters.length) {
    let end = characters.length;
    let found: number | undefined;
    while (start < end) {
      const piece = characters.slice(start, end).join('');
      found = trie.idOf(start === 0 ? piece : `##${piece}`);
      if (found !== undefined) break;
      end -= 1;
    }
    if (found === undefined) return unknown;
    ids.push(found);
    start = end;
  }
  return ids;
}
