/**
 * Identifier-aware terms for text search. `putDocument` yields `putdocument put document`, `snake_case2` yields
 * `snake_case2 snake case 2`, CJK runs yield overlapping pairs; everything is lower-cased and free of accents.
 * Documents and queries go through the same function, so that equal words give equal terms.
 */
export function terms(text: string): string[] {
  const found: string[] = [];
  for (const word of wordsOf(text)) {
    if (isLowerCase(word)) found.push(word);
    else for (const term of rememberedTerms(word)) found.push(term);
  }
  return found;
}

function wordsOf(text: string): string[] {
  const plain = withoutAccents(text);
  return plain.match(isAscii(plain) ? asciiWordPattern : wordPattern) ?? [];
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

function isLowerCase(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    if (code < 97 || code > 122) return false;
  }
  return true;
}

/** Names with their terms: the names of a project stand in it again and again. */
const remembered = new Map<string, readonly string[]>();
const rememberedWords = 10_000;
const rememberedLength = 40;

function rememberedTerms(word: string): readonly string[] {
  if (word.length > rememberedLength) return termsOf(word);
  const known = remembered.get(word);
  if (known) return known;
  if (remembered.size >= rememberedWords) remembered.clear();
  const found = termsOf(word);
  remembered.set(word, found);
  return found;
}

function termsOf(word: string): string[] {
  const found: string[] = [];
  appendTerms(word, found);
  return found;
}

/** More terms (a pasted log) make a search slower, not better. */
const maxQueryTerms = 256;

/**
 * The terms of a query. A repeated term is repeated here, and counts more. Stop words are left out unless there is
 * nothing else. So are single letters and digits that are only parts of a name: `x1b2` would otherwise match every text
 * with a 1 in it.
 */
export function queryTerms(question: string): string[] {
  const all = wordsOf(question).flatMap((word) => {
    const [whole, ...parts] = termsOf(word);
    return whole === undefined ? [] : [whole, ...parts.filter((part) => !/^[a-z0-9]$/.test(part))];
  });
  const contentTerms = all.filter((term) => !stopWords.has(term));
  return (contentTerms.length > 0 ? contentTerms : all).slice(0, maxQueryTerms);
}

/** The parts of an identifier in lower case: `XMLHttpRequest2` gives `xml http request 2`. */
export function identifierParts(identifier: string): string[] {
  return partsOf(withoutAccents(identifier));
}

/** Whether a word looks like a name from code rather than prose: `putDocument`, `snake_case`, `HTTP2`. */
export function looksLikeIdentifier(word: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(word) && (/[_$\d]/u.test(word) || /\p{Ll}\p{Lu}/u.test(word));
}

const asciiWordPattern = /[A-Za-z0-9_$]+/g;
const wordPattern = /[\p{L}\p{N}\p{M}_$]+/gu;
const partPattern =
  /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}[\p{Ll}\p{M}]*|[\p{Lo}\p{Lm}][\p{Lo}\p{Lm}\p{M}]*|\p{Nd}+|\p{Lu}|\p{N}+/gu;
const cjkPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+/gu;

/** Words longer than this are data (hashes, base64), not language: they are kept whole and never split. */
const maxSplitWordLength = 80;

function appendTerms(word: string, found: string[]): void {
  if (/^[a-z]+$/.test(word)) {
    found.push(word);
    return;
  }
  const cjkRuns = word.match(cjkPattern);
  if (cjkRuns) {
    for (const run of cjkRuns) appendPairs(run, found);
    for (const rest of word.split(cjkPattern)) if (rest !== '') appendTerms(rest, found);
    return;
  }
  const whole = withoutOuterUnderscores(word.toLowerCase().replaceAll('$', '_'));
  if (whole === '') return;
  found.push(whole);
  if (word.length > maxSplitWordLength) return;
  const parts = partsOf(word);
  if (parts.length > 1) found.push(...parts);
}

/** Without a regular expression: on a long row of underscores it would take quadratic time. */
function withoutOuterUnderscores(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && word[start] === '_') start += 1;
  while (end > start && word[end - 1] === '_') end -= 1;
  return word.slice(start, end);
}

function appendPairs(run: string, found: string[]): void {
  const characters = [...run];
  if (characters.length === 1) found.push(run);
  for (let index = 0; index + 1 < characters.length; index += 1) {
    found.push(`${characters[index]}${characters[index + 1]}`);
  }
}

function partsOf(word: string): string[] {
  return (word.match(partPattern) ?? []).map((part) => part.toLowerCase());
}

/** A text as terms are compared with it: in lower case and without accents. */
export function plainText(text: string): string {
  return withoutAccents(text.toLowerCase());
}

/** The words of a text, in lower case and without accents; a name is one of them. */
export function plainWords(text: string): string[] {
  return plainText(text).match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

/** Letters without Latin, Greek and Cyrillic accents, in one form; marks that make up other scripts stay. */
function withoutAccents(text: string): string {
  if (!/[^\s!-~]/.test(text)) return text;
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC');
}

const stopWords: ReadonlySet<string> = new Set(
  (
    'a an and any are as at be but by can could did do does for from had has have how i if in into is it its me my ' +
    'of on or our should so than that the their them then there these they this those to was we were what when ' +
    'where which who why will with would you your'
  ).split(' '),
);
