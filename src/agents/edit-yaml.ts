import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { indentOf, lineEnd, lineStart, newlineOf, splice } from '../core/text/text-lines.ts';

/**
 * A YAML text with an item in a list whose items have a name, or without it. All else stays, whether the list is written as lines or in
 * brackets; a text in which that cannot be done is refused.
 */
export function editYamlList(text: string, key: string, name: string, entry: object | undefined): string {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw error;
  if (document.contents !== null && !isMap(document.contents)) throw new TypeError('it is no mapping');
  const list = document.get(key);
  if (list !== undefined && list !== null && !isSeq(list)) throw new TypeError(`${key} is no list`);
  const item = entry && { name, ...entry };
  const at = isSeq(list) ? list.items.findIndex((each) => isMap(each) && each.get('name') === name) : -1;
  if (item ? isSeq(list) && isDeepStrictEqual(list.toJSON()[at], item) : at < 0) return text;
  const edited = isSeq(list) ? editLines(text, list, at, item) : withNewList(text, document, key, item);
  changeList(document, key, at, item);
  // Lines that do not mean what was asked for are not written.
  const result = parseDocument(edited);
  const isMeant = result.errors.length === 0 && isDeepStrictEqual(plain(result, key), plain(document, key));
  if (!isMeant) throw new TypeError(`${key} is written in a way that cannot be changed without the rest`);
  return edited;
}

/** The text with a list of one item: behind a key that stands there without a value, else at the end. */
function withNewList(text: string, { contents }: Document, key: string, item: object | undefined): string {
  const pair = isMap(contents)
    ? contents.items.find(({ key: each }) => isScalar(each) && each.value === key)
    : undefined;
  const end = isScalar(pair?.key) ? pair.key.range?.[1] : undefined;
  if (end === undefined) return `${closed(text)}${linesOf({ [key]: [item] }, text)}`;
  const base = closed(text);
  const behind = lineEnd(base, end);
  const empty = base.slice(end, behind).replace(/(:[ \t]*)(?:null|~)/, '$1');
  const lines = linesOf([item], text).replaceAll(/^(?=.)/gm, '  ');
  return splice(base, end, behind, `${empty}${lines}`);
}

function editLines(text: string, list: YAMLSeq, at: number, item: object | undefined): string {
  if (list.flow) return editBrackets(text, list, at, item);
  const last = list.items[at < 0 ? list.items.length - 1 : at] as YAMLMap | undefined;
  if (!last?.range) return text;
  const [start, end] = last.range;
  const from = lineStart(text, start);
  const to = lineEnd(text, Math.max(start, end - 1));
  const indent = indentOf(text, start);
  const lines = item ? linesOf([item], text).replaceAll(/^(?=.)/gm, indent) : '';
  if (at >= 0) return splice(text, from, to, lines);
  const base = closed(text);
  return splice(base, lineEnd(base, end - 1), lineEnd(base, end - 1), lines);
}

/** The same for a list in brackets, which takes JSON. */
function editBrackets(text: string, list: YAMLSeq, at: number, item: object | undefined): string {
  const ends = list.items.map((each) => (each as YAMLMap).range ?? [0, 0, 0]);
  const [start = 0, end = 0] = ends[at] ?? [];
  if (at >= 0 && item) return splice(text, start, end, JSON.stringify(item));
  if (at > 0) return splice(text, ends[at - 1]?.[1] ?? start, end);
  if (at === 0) return splice(text, start, ends[1]?.[0] ?? end);
  const last = ends.at(-1)?.[1] ?? (list.range?.[0] ?? 0) + 1;
  return splice(text, last, last, `${ends.length > 0 ? ', ' : ''}${JSON.stringify(item)}`);
}

function changeList(document: Document, key: string, at: number, item: object | undefined): void {
  const list = document.get(key);
  if (!isSeq(list)) document.set(key, document.createNode([item]));
  else if (at >= 0 && item) list.set(at, document.createNode(item));
  else if (at >= 0) list.delete(at);
  else list.add(document.createNode(item));
}

/** What a document says; a list without items says nothing. */
function plain(document: Document, key: string): unknown {
  const { [key]: list, ...others } = (document.toJS() ?? {}) as Record<string, unknown>;
  return { ...others, list: list ?? [] };
}

function linesOf(value: object, text: string): string {
  return stringify(value, { lineWidth: 0 }).replaceAll('\n', newlineOf(text));
}

function closed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}${newlineOf(text)}`;
}
