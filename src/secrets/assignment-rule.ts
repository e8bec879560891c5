import { isPlaceholder, looksLikePassword, looksRandom } from './likelihood.ts';
import { type NamedSecret, namedSecret } from './secret-names.ts';
import { anyCase, type SecretRange, type SecretRule } from './secret-rule.ts';

/** Values assigned to a name that promises a secret, in code, configuration, command lines and prose. */
export const assignmentRule: SecretRule = {
  name: 'assigned-secret',
  anchors: ['pass', 'pwd', 'secret', 'token', 'key', 'cred', 'auth', 'kennwort', 'psk'].map(anyCase),
  pattern: /(?:pass|pwd|secret|token|key|cred|auth|kennwort|psk)[\w.-]{0,48}(?![\w-])/diy,
  locate: (text, match) => {
    const end = match.index + match[0].length;
    const name = text.slice(startOfName(text, match.index), end);
    const kind = name.length > maxNameLength ? undefined : namedSecret(name);
    return kind && assignedValue(text, end, { name, kind, start: end - name.length });
  },
};

const maxNameLength = 96;

interface SecretName {
  readonly name: string;
  readonly kind: NamedSecret;
  readonly start: number;
}

function startOfName(text: string, from: number): number {
  let start = from;
  while (start > 0 && from - start <= maxNameLength && /[\w.$-]/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** `name = `, `"name": `, `name: str = `, `name'] = `, `name => `, `name := `, `name == `, `name is `, `**name:** `, `| name | `. */
const assignment =
  /\\?["'`]?\]?(?:\??[ \t]{0,8}:[ \t]{0,8}[A-Za-z_&*][\w.<>[\]| &?*']{0,40}?(?=[ \t]{0,8}=[^=]))?[ \t]{0,32}(?:=>|:=|[=!]={1,2}|=|:(?!:)(?:\*\*|__)?|(?:\*\*|__):|\|(?=[ \t]{0,32}`)|[ \t]is:?(?=[ \t]))[ \t]{0,32}(?:[|>][+-]?[ \t]{0,4}(?=[\r\n]))?(?:\r?\n[ \t]{1,32}(?=["'`]|[^\s:#-][^\s:]{5,64}[ \t]{0,8}(?:[\r\n]|$)))?/y;
/** `define('NAME', 'value')`, `setenv("NAME", "value")`. */
const argument = /(?<=\([ \t]{0,4}["'][\w.-]{1,96})["'][ \t]{0,4},[ \t]{0,4}(?=["'])/y;
/** `<name>value</name>` and `key="name" value="value"`. */
const markup = /(?<=<[\w.:-]{1,96})>(?=[^<>\r\n]{1,256}<\/)|["'][ \t]{1,8}value=(?=["'])/y;
/** `- name: NAME` and `value: value` below it; `variable "name" { default = "value"`. */
const entry =
  /(?<=\bname:[ \t]{1,4}["']?[\w.-]{1,96})["']?[ \t]{0,8}\r?\n[ \t]{1,32}value:[ \t]{1,4}|(?<=variable[ \t]{1,4}"[\w-]{1,96})"[ \t]{0,4}\{[^{}]{0,200}?\bdefault[ \t]{0,16}=[ \t]{0,4}(?=")/y;
/** `--name value`, `set -gx NAME value`, `ENV NAME value`, `login ida password value`, `:name "value"`. */
const commandLine =
  /(?<=(?:--[\w-]{1,96}|\s-(?:store|key)pass|(?:set -gx|setenv|ENV|setx) [\w-]{1,96}|login \S{1,64}\s{1,8}password))[ \t]{1,4}|(?<=:[\w-]{1,96}) (?=")/y;

function assignedValue(text: string, at: number, name: SecretName): SecretRange | undefined {
  for (const separator of [assignment, argument, markup, entry, commandLine]) {
    separator.lastIndex = at;
    const found = separator.exec(text);
    if (found === null) continue;
    const from = at + found[0].length;
    return quotedValue(text, from, name) ?? bareValue(text, from, found[0], name);
  }
  return undefined;
}

const quoted = /(?:[bfruBFRU@]{0,2})("""|'''|\\{0,3}["'`])/y;

function quotedValue(text: string, at: number, { kind }: SecretName): SecretRange | undefined {
  quoted.lastIndex = at;
  const opening = quoted.exec(text);
  if (opening === null) return undefined;
  const start = at + opening[0].length;
  const end = closingQuote(text, start, opening[1] ?? '');
  if (end === undefined) return undefined;
  return holdsSecret(kind, text.slice(start, end)) ? { start, end } : undefined;
}

const maxValueLength = 1024;

/** Where the value ends: at its quote, at the end of the text, or where the search for the quote gives up. */
function closingQuote(text: string, start: number, quote: string): number | undefined {
  const mark = quote.at(-1) ?? '';
  const limit = Math.min(text.length, start + maxValueLength);
  for (let at = start; at < limit; at += 1) {
    const character = text.charAt(at);
    if (character === mark) return at;
    if (character === '\n' || character === '\r') return undefined;
    if (character === '\\') {
      if (quote.startsWith('\\')) return at;
      at += 1;
    }
  }
  return limit;
}

const bare = /[^\s"'`<>(){}[\],;]{6,1024}/y;
const environmentValue = /[^\s"'`<][^\s"'`]{5,1024}(?=[ \t]*(?:[\r\n]|$|[ \t]#))/y;

function bareValue(text: string, at: number, separator: string, name: SecretName): SecretRange | undefined {
  const isEnvironment =
    separator === '=' && /^[A-Z][A-Z0-9_]*$/.test(name.name) && startsLine(text, name.start);
  const matched = (isEnvironment && matchAt(environmentValue, text, at)) || matchAt(bare, text, at);
  const literal = matched.replace(/&(?:\w{1,64}=.*|quot|amp|lt|gt|#\d{2,4})$/, '');
  const value = literal.replace(/[.,:!?]+$/, '');
  const end = at + literal.length;
  if (value === '' || isPlaceholder(value) || /[([{>]/.test(text.charAt(end)) || isExpression(value))
    return undefined;
  const accepted = isEnvironment
    ? isEnvironmentSecret(name.kind, value)
    : isBareSecret(text, end, value, name);
  return accepted ? { start: at, end } : undefined;
}

function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? '';
}

/** Only names, `export NAME` and the like stand before it on its line. */
function startsLine(text: string, at: number): boolean {
  const line = text.slice(Math.max(0, at - 64), at);
  return /(?:^|[\r\n])[ \t>#+-]*(?:export |ENV |ARG |set |- )?["']?$/.test(line);
}

function isEnvironmentSecret(kind: NamedSecret, value: string): boolean {
  if (holdsSecret(kind, value)) return true;
  if (value.length < 8 || /[./\\]/.test(value)) return false;
  return kind === 'password' || (/\d/.test(value) && /[!$%^&*@]/.test(value));
}

/** Without quotes a name followed by `;` or `,` is code: a variable, not a value. */
function isBareSecret(text: string, end: number, value: string, { kind }: SecretName): boolean {
  const isIdentifier = /^[A-Za-z_$][\w$]*$/.test(value);
  if (isIdentifier && !looksRandom(value) && /[;,)\]}]/.test(text.charAt(end))) return false;
  return holdsSecret(kind, value);
}

const memberPath = /^!?&?\*?[A-Za-z_$][\w$]*(?:(?:\?\.|\.|->|::)[A-Za-z_$][\w$]*)+$/;
const typeName =
  /^(?:u?int|float|double|string|bytes?|char|utf|uint8array|base|varchar|nvarchar|sha|md|aes|rsa|hmac|oauth|scram-sha|bool(?:ean)?|option|buffer)-?\d*(?:array)?\??$/i;

/** Code rather than a literal: a member of something, a type, a flag, a path. */
function isExpression(value: string): boolean {
  return (
    (memberPath.test(value) && !looksRandom(value)) ||
    typeName.test(value) ||
    /^(?:[.~]?\/|[A-Za-z]:\\|--?\w|[&|!@*]\w*$)/.test(value)
  );
}

const identifierShape = /^(?:#[0-9a-f]{3,8}|0x[0-9a-f]{1,16}|[\d.,:_-]+)$/i;

function holdsSecret(kind: NamedSecret, value: string): boolean {
  if (/\s/.test(value) || isPlaceholder(value) || identifierShape.test(value) || isExpression(value))
    return false;
  return kind === 'password' ? looksLikePassword(value) : looksRandom(value);
}
