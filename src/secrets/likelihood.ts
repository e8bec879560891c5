/** Fills the place of a redacted secret; never part of a secret itself. */
export const filler = '█';

/** How much of a value is examined: enough to decide, and a bound on the work that hostile text can cause. */
const judgedLength = 128;

/** Whether a text stands for a secret without being one: `changeme`, `<your-key>`, `${TOKEN}`, `xxxx`, … */
export function isPlaceholder(value: string): boolean {
  const judged = value.slice(0, judgedLength);
  return (
    judged.includes(filler) ||
    repeatedPattern.test(judged) ||
    isSequence(judged) ||
    referencePattern.test(judged) ||
    stockWordPattern.test(judged)
  );
}

/** Whether a token is a form to be filled in: `ghp_xxxx…`, `AKIA…EXAMPLE`. */
export function isBlank(token: string): boolean {
  const judged = token.slice(0, judgedLength);
  return judged.includes(filler) || repeatedPattern.test(judged) || stockWordPattern.test(judged);
}

/** Whether a text looks like the output of a random generator rather than words, names or numbers. */
export function looksRandom(value: string): boolean {
  const core = value.slice(0, judgedLength).replace(/={1,3}$/, '');
  if (new Set(core).size < Math.min(8, core.length * 0.6)) return false;
  if (core.length < 12) return core.length >= 8 && classChanges(core) >= 0.35;
  if (entropy(core) < 2.8) return false;
  return classChanges(core) >= (/\d/.test(core) ? 0.2 : 0.3) || isUnpronounceable(core);
}

/** Whether a text can be a password that a person chose: more than a word, a name or a sentence. */
export function looksLikePassword(value: string): boolean {
  if (value.length < 6 || /\s/.test(value) || /^[\d.,:-]+$/.test(value)) return false;
  const word = value.replace(/[:*?!.…,]+$/u, '');
  const hasLetter = /\p{L}/u.test(word);
  const hasDigit = /\d/.test(word);
  const hasSymbol = /[!#$%&*+<=>?@^{|}~\\]/.test(word);
  if (hasDigit || hasSymbol) return hasLetter || hasSymbol;
  return looksRandom(value);
}

/** Whether a text that stands where a password does can be one that a person chose, and no member of something. */
export function isChosen(value: string): boolean {
  return !isPlaceholder(value) && !/^[\w$]+(?:\.[\w$]+)+$/.test(value) && looksLikePassword(value);
}

/** Shannon entropy of the characters of a text, in bits a character. */
export function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** Values taken from elsewhere: variables, templates, calls, links to a vault. */
const referencePattern =
  /\$\{|\$\(|\{\{|#\{|%\(|^%[a-z]$|^\$[A-Za-z_]\w*$|^%\w+%$|^[<[{(].*[>\]})]$|^<|process\.env|os\.environ|import\.meta|getenv|^(?:secrets?|vars?|env|config|vault|ref|arn|ssm|op|data|self|this|sha\d+)[.:-]|^(?:sha(?:1|256|384|512)|md5)[-:]|:\/\//i;

const stockWordPattern =
  /example|sample|dummy|placeholder|change[-_ ]?(?:me|this|it)|your[-_ ]?\w|[-_]your|replace[-_ ]?|redacted|masked|hidden|removed|insert[-_ ]|enter[-_ ]|foobar|n\/a|password|passwd|passwort|my[-_]?secret|my[-_]?token|my[-_]?pass|(?:secret|api|access|private|auth)[-_]?(?:key|token)|goes[-_]?here|not[-_]?a?[-_]?real|^(?:pass|secret|token|key|test|none|null|nil|undefined|true|false|admin|root|guest|user|todo|tbd|empty|default|string|value|credentials?|postgres|mysql|asdf\w*|qwerty\w*|fake\w*)\d{0,4}$/i;

/** The same character four times over, or dots and stars where a value was left out. */
const repeatedPattern = /([A-Za-z*.#_•-])\1{3}|(\d)\2{5}|^\W+$|\.\.\.|…/;

const sequences = ['0123456789', '1234567890', 'abcdefgh', '12345678', '87654321'];

function isSequence(value: string): boolean {
  const lowered = value.toLowerCase();
  return sequences.some((sequence) => lowered.includes(sequence));
}

/**
 * How often the kind of character changes from one to the next. Words, names and camel-case identifiers change seldom
 * (a capital that opens a word does not count), random strings at nearly every second character.
 */
export function classChanges(value: string): number {
  let changes = 0;
  for (let index = 1; index < value.length; index += 1) {
    const before = classOf(value.charCodeAt(index - 1));
    const now = classOf(value.charCodeAt(index));
    const opensWord = before === 'upper' && now === 'lower';
    if (before !== now && before !== 'other' && now !== 'other' && !opensWord) changes += 1;
  }
  return changes / (value.length - 1);
}

function classOf(code: number): 'digit' | 'upper' | 'lower' | 'other' {
  if (code >= 48 && code <= 57) return 'digit';
  if (code >= 65 && code <= 90) return 'upper';
  if (code >= 97 && code <= 122) return 'lower';
  return 'other';
}

/** Letters alone can be random too; no language puts this many consonants in a row. */
function isUnpronounceable(value: string): boolean {
  return value.length >= 16 && /^[A-Za-z]+$/.test(value) && /[^aeiouy]{6}/i.test(value);
}
