import { classChanges, entropy, isPlaceholder } from './likelihood.ts';
import { minTokenLength } from './long-runs.ts';
import type { SecretRange } from './secret-rule.ts';
import { serviceFormats } from './service-formats.ts';
import { isIssued, templateSource } from './token-template.ts';

/** A rule that judges a whole run of token characters by its appearance and by the text before it. */
export interface RunRule {
  readonly name: string;
  /** `value` is a part of the text that begins and ends where a word could. */
  readonly accepts: (text: string, value: SecretRange) => boolean;
}

/** The longest value that is judged; beyond it a run is data. */
const maxValueLength = 512;

/** Tokens of issuers that no format names. */
export const runRules: readonly RunRule[] = [
  { name: 'service-key', accepts: isServiceKey },
  {
    name: 'unnamed-token',
    accepts: (text, value) => isUnnamedToken(text, value) || isRandomString(text, value),
  },
];

/** The value in a run: the run itself, or what it assigns (`NAME=value`, `?name=value`). */
export function valueIn(text: string, { start, end }: SecretRange): SecretRange | undefined {
  const run = text.slice(start, end);
  // What was generated holds a digit, and most names do not.
  if (run.length > 2 * maxValueLength || !/\d/.test(run)) return undefined;
  let last = run.length;
  while (last > 0 && '.~'.includes(run.charAt(last - 1))) last -= 1;
  const escaped = text.charAt(start - 1) === '\\' && /^[nrt]/.test(run) ? 1 : 0;
  const first = Math.max(escaped, run.replace(/=*$/, '').lastIndexOf('=') + 1);
  const length = last - first;
  if (length < minTokenLength || length > maxValueLength || !/\d/.test(run.slice(first, last)))
    return undefined;
  return { start: start + first, end: start + last };
}

/** How far before a value the name of its service can stand. */
const serviceDistance = 64;
const serviceNames = new RegExp(
  `(?:${serviceFormats.map(([names]) => `(${names})`).join('|')})[\\w .-]{0,24}["'\`\\])]{0,3}\\s{0,3}(?:=>|:{0,3}=|[:,>(]|\\|\\|)[\\s"'\`=]{0,5}$`,
  'i',
);
/** What all keys of services have in common; most values fail it, so no service is looked for near them. */
const generatedKey = /^(?:sl\.)?[\w+/=-]{20,164}$/;
const wholly = (forms: readonly string[]) => new RegExp(`^(?:${forms.map(templateSource).join('|')})$`);
const servicePatterns = serviceFormats.map(([, ...forms]) => wholly(forms));

function isServiceKey(text: string, { start, end }: SecretRange): boolean {
  const value = text.slice(start, end);
  if (!generatedKey.test(value)) return false;
  const [, ...services] = serviceNames.exec(text.slice(Math.max(0, start - serviceDistance), start)) ?? [];
  const service = services.findIndex((name) => name !== undefined);
  return (
    service !== -1 &&
    servicePatterns[service]?.test(value) === true &&
    isIssued(value, 3) &&
    !isPlaceholder(value)
  );
}

const word = /^(?:[a-z][a-z0-9]*|[A-Z][A-Z0-9]*|[A-Z][a-z0-9]+)$/;
/** First words of values that are random but not secret. */
const hashWord =
  /^(?:sha\d*|md\d|hash|integrity|nonce|commit|etag|rev|checksum|digest|blob|chunk|build|cache|id|u?uid)$/i;
/** Words with which issuers say that a token gives access. */
const accessWord =
  /^(?:sk|pk|rk|(?:api|sec|secret|sign|auth|access)?key|\w*token|tok|pat|\w*secret|api|auth|access|live|prod|production|test|sandbox)$/i;
/** Up to four words, each with its separator, and the rest. */
const wordsThenRest = /^((?:[A-Za-z][A-Za-z0-9]{0,14}[._-]){1,4})([\w.+/=-]+)$/;
/** A name of a constant: nothing in it is random. */
const constantName = /^(?:[A-Z][A-Z0-9]*_){3}/;
/** A hash in the name of a file is no secret. */
const fileName = /\.[A-Za-z][A-Za-z0-9]{0,4}$/;
const uuid = /(?:^|[._-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** The name of a place in a page, as wikis and code hosts make it: a word and a digest. */
const anchorName = /^[a-z]+-(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/;
/** How far before such a name its link can begin. */
const linkDistance = 256;
const linkToAnchor = /https?:\/\/[^\s"'`<>#]+#$/;

/** Length of a 256-bit hash or public key in base64. */
const hashLength = 43;

/** A string of its own that is random from end to end; text in base64 is not. */
function isRandomString(text: string, { start, end }: SecretRange): boolean {
  const quote = text.charAt(start - 1);
  const length = end - start;
  if (
    length < 32 ||
    length > 64 ||
    length === hashLength ||
    !/["'`]/.test(quote) ||
    text.charAt(end) !== quote
  )
    return false;
  const value = text.slice(start, end);
  return /^[A-Za-z0-9]+$/.test(value) && isRandom(value, 32, 0.35) && !isEncodedText(value);
}

function isEncodedText(value: string): boolean {
  return /^[\t\n\r -~]+$/.test(Buffer.from(value, 'base64').toString('latin1').slice(0, 24));
}

/** Words and then random characters, as nearly all issuers form their tokens today: `word_random`. */
function isUnnamedToken(text: string, { start, end }: SecretRange): boolean {
  const value = text.slice(start, end);
  const [, lead = '', rest = ''] = wordsThenRest.exec(value) ?? [];
  const words = lead.split(/[._-]/).slice(0, -1);
  const [first = ''] = words;
  if (!word.test(first) || hashWord.test(first) || isPlaceholder(rest)) return false;
  if (constantName.test(value) || fileName.test(value)) return false;
  const givesAccess = words.some((candidate) => accessWord.test(candidate));
  if (givesAccess && uuid.test(value)) return true;
  if (!givesAccess && isAnchor(text, start, value)) return false;
  const parts = value.slice(first.length + 1).split(/[._-]/);
  if (parts.some((part) => isRandomOfOneCase(part, givesAccess ? 20 : 28))) return true;
  // Members of objects are joined by dots: there one part alone must be random, elsewhere all parts together.
  if (value.includes('.')) return parts.some((part) => isRandom(part, 20, part.length < 32 ? 0.35 : 0.25));
  // A word can look like a part of the random characters, and the reverse: each border is tried.
  return words.some((_, at) => isRandom(words.slice(at + 1).join('') + rest, givesAccess ? 14 : 18, 0.25));
}

/** Whether a value is where a link leads to within its page. */
function isAnchor(text: string, start: number, value: string): boolean {
  return anchorName.test(value) && linkToAnchor.test(text.slice(Math.max(0, start - linkDistance), start));
}

/** Letters of both cases and digits, changing as only a generator does. */
function isRandom(body: string, minLength: number, changes: number): boolean {
  const bare = body.replace(/[^A-Za-z0-9]/g, '');
  if (bare.length < minLength || !/[a-z].*[a-z]/.test(bare) || !/[A-Z].*[A-Z]/.test(bare)) return false;
  if (!/\d/.test(bare) || classChanges(bare) < changes) return false;
  return entropy(bare) >= (bare.length < 20 ? 3.3 : 3.8);
}

/** Letters of one case and digits, without an interruption. */
function isRandomOfOneCase(body: string, minLength: number): boolean {
  if (body.length < minLength || !/^(?:[0-9a-z]+|[0-9A-Z]+)$/.test(body) || !/[A-Za-z]/.test(body))
    return false;
  return entropy(body) >= 3.2 && classChanges(body) >= 0.25;
}
