import type { CodeDefinition } from '../../../../core/code-graph.ts';
import { shortened } from '../../../../core/text/shortened.ts';
import { containerKinds, type LanguageRules, moduleKinds } from '../grammar-rules.ts';
import type { CapturedDefinition } from './captures.ts';
import { returnType, typeOfName } from './declared-type.ts';
import type { TextLines } from './line-of.ts';

/** A definition with its place in the text. */
export interface PlacedDefinition extends CodeDefinition {
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly index: number;
}

/** Kinds that are functions, whose names and parameters hold within them. */
export const functionKinds: ReadonlySet<string> = new Set(['function', 'method', 'constructor', 'macro']);
const plainKinds: ReadonlySet<string> = new Set(['constant', 'variable', 'property', 'type', 'declaration']);
const plumbing = new Set(['prototype', 'module', 'exports', 'this', 'self', 'window', 'globalThis']);
const maxDefinitions = 20_000;
const maxSignature = 160;

interface Found {
  readonly captured: CapturedDefinition;
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly nameEnd: number;
}

/** What a file defines, in order, each with what is around it. */
export function placeDefinitions(
  captured: readonly CapturedDefinition[],
  source: {
    readonly text: string;
    readonly language: string;
    readonly rules: LanguageRules;
    readonly lines: TextLines;
  },
): PlacedDefinition[] {
  const placed: PlacedDefinition[] = [];
  const open: PlacedDefinition[] = [];
  const seen = new Set<string>();
  for (const found of eachOnce(captured)) {
    while (open.length > 0 && isBehind(found, open.at(-1))) open.pop();
    const definition = describe(found, ownerOf(found, open), placed.length, source);
    if (definition === undefined) continue;
    const isPlain = plainKinds.has(definition.kind);
    const key = `${definition.within}\n${definition.name}`;
    // A variable that is assigned again is the same.
    if (isPlain && seen.has(key)) continue;
    // A type and a value may share a name.
    if (isPlain) seen.add(key);
    placed.push(definition);
    open.push(definition);
    if (placed.length >= maxDefinitions) break;
  }
  return placed;
}

/** Whether a definition stands behind another one, or beside it in one declaration. */
function isBehind({ start, end }: Found, other: PlacedDefinition | undefined): boolean {
  return other !== undefined && (other.end <= start || (other.start === start && other.end === end));
}

/** Of what several patterns found under one name, the most exact; outer ones first. */
function eachOnce(captured: readonly CapturedDefinition[]): Found[] {
  const byName = new Map<number, Found>();
  for (const one of captured) {
    const { startIndex: nameStart } = one.name;
    const before = byName.get(nameStart)?.captured;
    if (before && !(plainKinds.has(before.kind) && !plainKinds.has(one.kind))) continue;
    byName.set(nameStart, {
      captured: one,
      start: one.node.startIndex,
      end: one.node.endIndex,
      nameStart,
      nameEnd: one.name.endIndex,
    });
  }
  return [...byName.values()].sort((one, other) => one.start - other.start || other.end - one.end);
}

/** What is around a definition; what a method of Python gives its object, or a constructor takes as a property, belongs to the class. */
function ownerOf({ captured }: Found, open: readonly PlacedDefinition[]): PlacedDefinition | undefined {
  const around = open.at(-1);
  const isParameter = captured.kind === 'property' && around?.name === 'constructor';
  if (!isParameter && (captured.owner === undefined || captured.kind !== 'property')) return around;
  return open.findLast(({ kind }) => containerKinds.has(kind));
}

function describe(
  { captured, start, end, nameStart, nameEnd }: Found,
  around: PlacedDefinition | undefined,
  index: number,
  { text, language, rules, lines }: Parameters<typeof placeDefinitions>[1],
): PlacedDefinition | undefined {
  const { owner } = captured;
  if (captured.kind === 'property' && owner && !(around && /^(?:self|cls)$/.test(owner.text)))
    return undefined;
  const parts = partsOf(captured.name.text, language);
  const name = parts.at(-1);
  if (name === undefined || name.length > 120 || !/^[\p{L}_$~]/u.test(name)) return undefined;
  const written = signatureOf(captured, start, end, text);
  const kind = kindOf(captured.kind, name, around, written, language);
  const receiver = captured.kind === 'method' && owner ? receiverOf(owner.text) : [];
  const own = [...(around ? [...around.scope, around.name] : []), ...receiver, ...parts.slice(0, -1)];
  const isExported = exportedBy(rules, written, name);
  const type =
    functionKinds.has(kind) || kind === 'declaration'
      ? returnType(written, name, language)
      : typeOf(kind, text, nameStart, name, language);
  const parents = containerKinds.has(kind) ? parentsIn(written, name, language) : [];
  return {
    name,
    kind,
    scope: own.slice(-8),
    ...(around && { within: around.index }),
    ...lines.placeOf(nameStart),
    firstLine: lines.lineOf(start),
    lastLine: lines.lineOf(Math.max(start, end - 1)),
    signature: shortened(written, maxSignature),
    ...(isExported !== undefined && { exported: isExported }),
    ...(type !== undefined && { type }),
    ...(parents.length > 0 && { parents }),
    start,
    end,
    nameStart,
    nameEnd,
    index,
  };
}

function typeOf(
  kind: string,
  text: string,
  nameStart: number,
  name: string,
  language: string,
): string | undefined {
  if (kind === 'type') {
    const value = /^\s*(?:<[^=]*>)?\s*=\s*([\p{L}_$][\w$.]*)\s*[;\n]/u.exec(
      text.slice(nameStart + name.length, nameStart + 200),
    );
    return value?.[1];
  }
  if (containerKinds.has(kind)) return undefined;
  return typeOfName(text, nameStart, nameStart + name.length, language);
}

function kindOf(
  captured: string,
  name: string,
  around: PlacedDefinition | undefined,
  written: string,
  language: string,
): string {
  if (captured === 'class' && /^(?:kotlin|swift)$/.test(language)) {
    const said = /\b(interface|enum|struct|extension|actor|object)\b/.exec(
      written.slice(0, written.indexOf(name)),
    );
    if (said?.[1]) return said[1];
  }
  const inContainer =
    around !== undefined && containerKinds.has(around.kind) && !moduleKinds.has(around.kind);
  if (captured === 'function' && inContainer) return 'method';
  return inContainer && (captured === 'constant' || captured === 'variable') ? 'property' : captured;
}

/** The name and what qualifies it: `Application.prototype.join`, `List:push`, `Printer::print`. */
function partsOf(written: string, language: string): string[] {
  const bare = written
    .replace(/<[^<>]*>/g, '')
    .replace(/^(['"`])(.*)\1$/s, '$2')
    .replace(language === 'php' ? /^\$/ : /^#/, '')
    .trim();
  if (bare.startsWith('operator') || /^[\p{L}\p{N}_$?!]+$/u.test(bare)) return bare === '' ? [] : [bare];
  const parts = bare.split(/::|\\|[.:](?=[^.:])/u).map((part) => part.trim());
  return parts.filter((part) => part !== '' && !plumbing.has(part) && !/\s/.test(part));
}

function receiverOf(written: string): string[] {
  const type = /([\p{L}_][\p{L}\p{N}_]*)\s*\)$/u.exec(written.replace(/\[[^\]]*\]/g, ''))?.[1];
  return type === undefined ? [] : [type];
}

const attributes = /^(?:\s*(?:#?\[[^[\]]*\]|@[\w.]+(?:\([^()]*\))?)(?=\s))+\s*/;

/** The declaration without its body, with the words before it: `export const read = async (path: string)`. */
function signatureOf({ node, kind }: CapturedDefinition, start: number, end: number, text: string): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(lineStart, start);
  const words = /^[\w\s]{1,40}$/.test(before) ? before.trim() : '';
  const body = node.childForFieldName('body') ?? node.childForFieldName('value')?.childForFieldName('body');
  const cut = Math.min(body?.startIndex ?? end, start + maxSignature * 6);
  let own = text.slice(start, cut).replace(attributes, '');
  if (/\s#\s/.test(own)) own = own.replace(/\s#\s[^\n]*/g, '');
  if (plainKinds.has(kind) || !body) own = own.split(/\n|[{]/, 1)[0] ?? own;
  return `${words} ${own}`
    .replace(/\s+/g, ' ')
    .replace(/\s*(?:=>|[{=:;(,]|\bdo)\s*$/, '')
    .trim();
}

function exportedBy({ exported }: LanguageRules, written: string, name: string): boolean | undefined {
  if (exported === undefined) return undefined;
  if (exported.by === 'export') return /^export\b/.test(written) || undefined;
  if (exported.by === 'name') return exported.pattern.test(name);
  const at = written.indexOf(name);
  return exported.pattern.test(at < 0 ? written : written.slice(0, at)) !== (exported.not === true);
}

const headWords =
  /^(?:extends|implements|with|public|private|protected|virtual|where|for|metaclass|class|final|override|struct|interface|enum|object|record|case)$/;

/** The names in the head of a class behind its own. */
function parentsIn(written: string, name: string, language: string): string[] {
  const bare = written
    .slice(written.indexOf(name) + name.length)
    .replace(/\s(?:#|\/\/).*/, '')
    .replace(/<[^<>]*>/g, '')
    .replace(/\[[^[\]]*\]/g, '');
  const head = language === 'python' ? bare : bare.replace(/\([^()]*\)/g, '');
  const names = head.match(/[\p{L}_$][\p{L}\p{N}_$.]*/gu) ?? [];
  return names
    .map((each) => each.split('.').at(-1) ?? each)
    .filter((each) => !headWords.test(each))
    .slice(0, 8);
}
