import { entropy, isBlank } from './likelihood.ts';
import type { SecretRule } from './secret-rule.ts';

/**
 * The form of a token, in which `{…}` stands for random characters: a letter for their alphabet, then how many, as
 * `{a36}` or `{w20-255}`. `{uuid}` is a UUID. Everything else is literal.
 */
export type TokenTemplate = string;

/** The alphabets that a template can name. */
export const alphabets: Readonly<Record<string, string>> = {
  /** Decimal digits. */
  d: '0-9',
  /** Hexadecimal digits. */
  h: '0-9a-f',
  /** Hexadecimal digits of either case. */
  x: '0-9A-Fa-f',
  /** Lower-case letters and digits. */
  l: '0-9a-z',
  /** Upper-case letters and digits. */
  u: '0-9A-Z',
  /** Letters and digits. */
  a: '0-9A-Za-z',
  /** What a name in code is made of. */
  n: '0-9A-Za-z_',
  /** The alphabet of base64 for URLs. */
  w: '0-9A-Za-z_-',
  /** The same with its padding. */
  e: '0-9A-Za-z_=-',
  /** The same with its padding and dots. */
  p: '0-9A-Za-z_=.-',
  /** The alphabet of base64. */
  b: '0-9A-Za-z+/',
  /** The alphabets of base64 together, with padding. */
  f: '0-9A-Za-z+/_=-',
};

/** A literal, or random characters with their alphabet and the fewest and most of them. */
export type TemplatePart =
  | { readonly literal: string }
  | { readonly alphabet: string; readonly min: number; readonly max: number };

/** Reads a template into its parts. */
export function templateParts(template: TokenTemplate): TemplatePart[] {
  const spelled = template.replaceAll('{uuid}', '{h8}-{h4}-{h4}-{h4}-{h12}');
  return spelled.split(/(\{[a-z]\d+(?:-\d+)?\})/).flatMap((part): TemplatePart[] => {
    const [, alphabet, min, max] = /^\{([a-z])(\d+)(?:-(\d+))?\}$/.exec(part) ?? [];
    if (alphabet === undefined) return part === '' ? [] : [{ literal: part }];
    return [{ alphabet, min: Number(min), max: Number(max ?? min) }];
  });
}

/** The source of a pattern for a template; every repetition in it is bounded. */
export function templateSource(template: TokenTemplate): string {
  const parts = templateParts(template);
  const sources = parts.map((part) =>
    'literal' in part ? literally(part.literal) : `[${alphabets[part.alphabet]}]{${part.min},${part.max}}`,
  );
  const last = parts.at(-1);
  // A longer run is not a token of fixed length; a token of variable length is cut where its pattern ends.
  const isFixed = last !== undefined && !('literal' in last) && last.min === last.max;
  return sources.join('') + (isFixed ? '(?![A-Za-z0-9])' : '');
}

/** Not inside a longer word; an escaped line break or a percent escape before the token ends a word. */
export const open = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F]{2}))`;

/** A rule for tokens of one issuer; each template starts with a literal, which is its anchor. */
export function templateRule(name: string, bits: number, templates: readonly TokenTemplate[]): SecretRule {
  const anchors = templates.map((template) => literally(template.slice(0, template.indexOf('{'))));
  const source = `${open}(?:${templates.map(templateSource).join('|')})`;
  return { name, anchors, pattern: new RegExp(source, 'dy'), accepts: (token) => isIssued(token, bits) };
}

/**
 * Whether a text in the format of a token can be a real one. Its format already excludes ordinary words, so runs such as
 * `1234` or `AbCd` are allowed; placeholders are not.
 */
export function isIssued(token: string, bits: number): boolean {
  return entropy(token) >= bits && !isBlank(token);
}

function literally(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
