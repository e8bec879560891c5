import { applyEdits, modify, type ParseError, parse as parseJson } from 'jsonc-parser';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import { isMap, isSeq, parseDocument, type YAMLSeq } from 'yaml';
import { messageOf, QuarryError } from '../../../core/errors.ts';
import type { McpClient } from './clients.ts';

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
    if (format === 'toml') return editToml(text, keys, entry);
    return editYaml(text, keys, entry);
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
  const edits = modify(base, [...keys, ownName], entry, { formattingOptions: { ...indent, eol: '\n' } });
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

/** Our table is replaced as a block of lines: no parser of TOML keeps comments. */
function editToml(text: string, [key = '']: readonly string[], entry: object | undefined): string {
  const before = parseToml(text) as Record<string, Record<string, unknown> | undefined>;
  const block = new RegExp(
    `^\\[${key}\\.(?:${ownName}|"${ownName}")(?:\\.[^\\]\\n]+)?\\][^\\n]*\\n(?:(?!\\[)[^\\n]*\\n?)*`,
    'm',
  );
  let without = text;
  while (block.test(without)) without = without.replace(block, '');
  if (entry === undefined) return without === text ? text : `${without.trimEnd()}\n`;
  // Written as a table of its own where it was; elsewhere (`mcp_servers = { … }`) a second one would be an error.
  const table = `[${key}.${ownName}]\n${stringifyToml(entry as Record<string, unknown>).trimEnd()}\n`;
  if (text.includes(table)) return text;
  const result = `${without.trimEnd()}${without.trim() === '' ? '' : '\n\n'}${table}`;
  const after = parseToml(result) as typeof before;
  const others = (settings: typeof before) =>
    JSON.stringify({ ...settings, [key]: { ...settings[key], [ownName]: 0 } });
  if (others(after) !== others(before))
    throw new TypeError(`[${key}] is written in a way that cannot be changed`);
  return result;
}

/** Servers are a list whose items have a name. */
function editYaml(text: string, [key = '']: readonly string[], entry: object | undefined): string {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw error;
  if (document.contents !== null && !isMap(document.contents)) throw new TypeError('it is no mapping');
  const list = document.get(key);
  const servers: YAMLSeq | undefined = isSeq(list) ? list : undefined;
  if (list !== undefined && list !== null && !servers) throw new TypeError(`${key} is no list`);
  const at = servers?.items.findIndex((item) => isMap(item) && item.get('name') === ownName) ?? -1;
  if (entry === undefined) {
    if (!servers || at < 0) return text;
    servers.delete(at);
    if (servers.items.length === 0) document.delete(key);
    return document.toString();
  }
  const item = document.createNode({ name: ownName, ...entry });
  if (servers && at >= 0) {
    if (JSON.stringify(servers.toJSON()[at]) === JSON.stringify(item.toJSON())) return text;
    servers.set(at, item);
  } else if (servers) servers.add(item);
  else document.set(key, document.createNode([{ name: ownName, ...entry }]));
  return document.toString();
}
