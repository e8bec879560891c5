import { type Origin, unpackedName } from '../document.ts';
import { pathMatcher } from '../globs/glob.ts';

/** Built-in type rules, for documents that no rule of the user matches and that are not code; the first match wins. */
const builtInTypes: readonly (readonly [type: string, globs: readonly string[]])[] = [
  ['email', ['*.eml', '*.mbox']],
  ['log', ['*.log', '*.log.*', '**/logs/**']],
  ['adr', ['**/adr/**', '**/adrs/**']],
  ['note', ['**/notes/**']],
  ['prompt', ['**/prompts/**']],
  ['data', ['*.json', '*.jsonl', '*.yaml', '*.yml', '*.toml', '*.csv', '*.tsv', '*.xml', '*.ini']],
];

/** Types that what a document holds may show. */
const recognisedTypes = [
  'book',
  'commit',
  'contact',
  'conversation',
  'event',
  'exploration',
  'image',
  'sheet',
  'slides',
  'state',
];

/** Every type that a document may have without a rule of the user. */
export const ownTypes: readonly string[] = [
  'code',
  'doc',
  ...recognisedTypes,
  ...builtInTypes.map(([type]) => type),
];

/**
 * Decides a document's type: the user's globs first, then whether it is source, of a language that is cut by its syntax or of
 * another one, then what its content shows it to be, then the built-in rules, then `doc`.
 */
export function typeRules(
  userTypes: Readonly<Record<string, readonly string[]>>,
  isSource: (uri: string) => boolean = () => false,
): (uri: string, language: string | undefined, recognised?: string) => string {
  const compile = ([type, globs]: readonly [string, readonly string[]]) => ({
    type,
    matches: pathMatcher(globs),
  });
  const first = Object.entries(userTypes).map(compile);
  const last = builtInTypes.map(compile);
  return (uri, language, recognised) =>
    first.find((rule) => rule.matches(uri))?.type ??
    (language || isSource(uri) ? 'code' : recognised) ??
    last.find((rule) => rule.matches(unpackedName(uri)))?.type ??
    'doc';
}

/** Decides a document's origin class by glob; what matches none is an ordinary file. */
export function originRules(
  globs: Partial<Readonly<Record<Origin, readonly string[]>>>,
): (uri: string) => Origin {
  const rules = Object.entries(globs).map(([origin, paths]) => ({
    origin: origin as Origin,
    matches: pathMatcher(paths ?? []),
  }));
  return (uri) => rules.find((rule) => rule.matches(uri))?.origin ?? 'file';
}
