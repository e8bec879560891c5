import { applyEdits, modify, type ParseError, parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { editToml } from '../core/settings/toml/edit-toml.ts';
import { newlineOf } from '../core/text/text-lines.ts';
import type { Agent } from './agents.ts';
import { editYamlList } from './edit-yaml.ts';

/** The name of our entry in the settings of every agent. */
const ownName = 'quarry';

/**
 * The text of an agent's settings with our entry, or without it; everything else, comments included, stays as it is. A table
 * of servers that is empty without it goes too where the settings had none before.
 */
export function editSettings(
  text: string,
  { format, keys }: Pick<Agent['settings'], 'format' | 'keys'>,
  entry: object | undefined,
  before = text,
): string {
  if (format === 'json') {
    const path = [...keys, ownName];
    const edited = editJson(text, path, entry && withTheirKeys(entry, tableIn(parseJson(text), path)));
    const isOurs = entry === undefined && edited !== text && tableIn(parseJson(before), keys) === undefined;
    return isOurs && isEmpty(tableIn(parseJson(edited), keys)) ? editJson(edited, keys, undefined) : edited;
  }
  if (format === 'toml') return editOwnTable(text, keys, entry);
  return editYamlList(text, keys[0] ?? '', ownName, entry);
}

function editJson(text: string, path: readonly string[], entry: object | undefined): string {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true, allowEmptyContent: true };
  const parsed: unknown = parseJson(text, errors, options);
  if (errors.length > 0) throw new TypeError(`it is not JSON at offset ${errors[0]?.offset}`);
  if (parsed !== undefined && (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)))
    throw new TypeError('it is no JSON object');
  if (entry === undefined && tableIn(parsed, path) === undefined) return text;
  const base = text.trim() === '' ? '{}\n' : text;
  const indent = /^\t/m.test(base)
    ? { insertSpaces: false }
    : { insertSpaces: true, tabSize: indentOf(base) };
  const edits = modify(base, [...path], entry, {
    formattingOptions: { ...indent, eol: newlineOf(text) },
  });
  return applyEdits(base, edits);
}

/** Keys that somebody has added to an entry that starts a program stay; an entry of another kind is replaced. */
function withTheirKeys(entry: object, theirs: unknown): object {
  const isOfKind = typeof theirs === 'object' && theirs !== null && 'command' in theirs && 'command' in entry;
  return isOfKind ? { ...theirs, ...entry } : entry;
}

function tableIn(settings: unknown, path: readonly string[]): unknown {
  let at: unknown = settings;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

function isEmpty(table: unknown): boolean {
  return typeof table === 'object' && table !== null && Object.keys(table).length === 0;
}

function indentOf(text: string): number {
  return /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
}

function editOwnTable(text: string, keys: readonly string[], entry: object | undefined): string {
  const path = [...keys, ownName];
  const isThere = tableIn(parseToml(text), path) !== undefined;
  // A new entry is a table of its own, a line for each of its keys.
  const whole = entry && withTheirKeys(entry, tableIn(parseToml(text), path));
  const changes: [readonly string[], unknown][] =
    entry && !isThere
      ? Object.entries(entry).map(([name, value]) => [[...path, name], value])
      : [[path, whole]];
  return changes.reduce((current, [place, value]) => {
    const edited = editToml(current, place, value);
    if (edited === undefined) throw new TypeError(`[${keys[0]}] is written in a way that cannot be changed`);
    return edited;
  }, text);
}
