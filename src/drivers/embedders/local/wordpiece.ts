/** Words longer than this become one unknown token, as the model was trained. */
const longestWord = 100;
/** Words remembered with their pieces; natural text repeats itself, so that most words are looked up once. */
const rememberedWords = 20_000;

/** Cuts text into the word pieces of an uncased BERT vocabulary. */
export interface WordPiece {
  /** Piece numbers of the text, without the special tokens around it. */
  encode(text: string): number[];
  readonly startId: number;
  readonly endId: number;
}

/** The parts of a published `tokenizer.json` that decide how text is cut. */
export interface TokenizerFile {
  readonly model: { readonly type?: string; readonly vocab: Readonly<Record<string, number>> };
}

/** Builds the tokenizer from a published `tokenizer.json`. */
export function createWordPiece(file: TokenizerFile): WordPiece {
  const vocabulary = new Map(Object.entries(file.model.vocab));
  const idOf = (token: string): number => vocabulary.get(token) ?? 0;
  const unknown = idOf('[UNK]');
  const remembered = new Map<string, readonly number[]>();

  const pieces = (word: string): readonly number[] => {
    const known = remembered.get(word);
    if (known) return known;
    if (remembered.size >= rememberedWords) remembered.clear();
    const cut = cutWord(word, vocabulary, unknown);
    remembered.set(word, cut);
    return cut;
  };

  return {
    startId: idOf('[CLS]'),
    endId: idOf('[SEP]'),
    encode(text) {
      const ids: number[] = [];
      for (const [word] of normalise(text).matchAll(wordOrMark)) {
        for (const id of pieces(word)) ids.push(id);
      }
      return ids;
    },
  };
}

/** A run of letters and digits, or a single mark: ASCII punctuation and symbols, or Unicode punctuation. */
const wordOrMark = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu;
const ideograph =
  /[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
const plainAscii = /^[\t\n\r\x20-\x7e]*$/;

function normalise(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase();
  return text
    .replace(/[\p{C}\ufffd]/gu, (character) => (/[\t\n\r]/.test(character) ? ' ' : ''))
    .replace(ideograph, ' $& ')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

/** Greedy longest match from the left; a word with any unknown part is unknown as a whole. */
function cutWord(word: string, vocabulary: ReadonlyMap<string, number>, unknown: number): readonly number[] {
  const characters = [...word];
  if (characters.length > longestWord) return [unknown];
  const ids: number[] = [];
  let start = 0;
  while (start < characters.length) {
    let end = characters.length;
    let found: number | undefined;
    while (start < end) {
      const piece = characters.slice(start, end).join('');
      found = vocabulary.get(start === 0 ? piece : `##${piece}`);
      if (found !== undefined) break;
      end -= 1;
    }
    if (found === undefined) return [unknown];
    ids.push(found);
    start = end;
  }
  return ids;
}
