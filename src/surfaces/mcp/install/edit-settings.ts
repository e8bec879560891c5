import { applyEdits, modify, type ParseError, parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { messageOf, QuarryError } from '../../../core/errors.ts';
import { editToml } from '../../../core/settings/toml/edit-toml.ts';
import { newlineOf } from '../../../core/text/text-lines.ts';
import type { McpClient } from './clients.ts';
import { editYamlList } from './edit-yaml.ts';

/** The name of our entry in the settings of every client. */
const ownName = 'quarry';

/** The text of a client's settings with our entry, or without it; everything else, comments included, stays as it is. */
export function editSettings(
  text: string,
  { format, keys }: Pick<McpClient, 'format' | 'keys'>,
  entry: object | undefined,
  file: string,
): string {
  try {
    if (format === 'json') return editJson(text, keys, entry);
    if (format === 'toml') return editOwnTable(text, keys, entry);
    return editYamlList(text, keys[0] ?? '', ownName, entry);
  } catch (cause) {
    throw new QuarryError(
      'config-invalid',
      `${file} cannot be understood: ${messageOf(cause).split('\n')[0]}.`,
      'Correct the file, then try again; it was not changed.',
      { cause },
    );
  }
}

function editJson(text: string, keys: readonly string[], entry: object | undefined): string {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true, allowEmptyContent: true };
  const parsed: unknown = parseJson(text, errors, options);
  if (errors.length > 0) throw new TypeError(`it is not JSON at offset ${errors[0]?.offset}`);
  if (parsed !== undefined && (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)))
    throw new TypeError('it is no JSON object');
  if (entry === undefined && !hasEntry(parsed, keys)) return text;
  const base = text.trim() === '' ? '{}\n' : text;
  const indent = /^\t/m.test(base)
    ? { insertSpaces: false }
    : { insertSpaces: true, tabSize: indentOf(base) };
  const edits = modify(base, [...keys, ownName], entry, {
    formattingOptions: { ...indent, eol: newlineOf(text) },
  });
  return applyEdits(base, edits);
}

function hasEntry(settings: unknown, keys: readonly string[]): boolean {
  let at: unknown = settings;
  for (const key of [...keys, ownName]) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false;
    at = (at as Record<string, unknown>)[key];
  }
  return true;
}

function indentOf(text: string): number {
  return /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
}

function editOwnTable(text: string, keys: readonly string[], entry: object | undefined): string {
  const path = [...keys, ownName];
  const isThere = hasEntry(parseToml(text), keys);
  // A new entry is a table of its own, a line for each of its keys.
  const changes: [readonly string[], unknown][] =
    entry && !isThere
      ? Object.entries(entry).map(([name, value]) => [[...path, name], value])
      : [[path, entry]];
  return changes.reduce((current, [place, value]) => {
    const edited = editToml(current, place, value);
    if (edited === undefined) throw new TypeError(`[${keys[0]}] is written in a way that cannot be changed`);
    return edited;
  }, text);
}
