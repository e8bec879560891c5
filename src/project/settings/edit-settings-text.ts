import { isDeepStrictEqual } from 'node:util';
import { parse, patch } from '@decimalturn/toml-patch';
import { parse as parseStrictly } from 'smol-toml';
import { QuarryError } from '../../core/errors.ts';
import { legacyKeys } from './legacy-names.ts';

type Table = Record<string, unknown>;

/** Lines that the value of one setting may have. */
const longestValue = 200;

/** New values of settings by dotted key; undefined takes a setting out of the file. */
export type SettingChanges = ReadonlyMap<string, unknown>;

/**
 * The text of a settings file with these changes. Comments, order and spelling of everything else stay; a setting that the
 * file has under the name of an earlier tool keeps that name.
 */
export function editSettingsText(text: string, changes: SettingChanges): string {
  const kept = [...changes].reduce(
    (current, [key, value]) => (value === undefined ? withoutSetting(current, key) : current),
    text,
  );
  const table = parse(kept) as Table;
  for (const [key, value] of changes) if (value !== undefined) place(table, nameInFile(table, key), value);
  const edited = patch(kept, table);
  // An edit that does not mean what was asked for must not be written.
  if (means(edited, table)) return edited;
  throw new QuarryError(
    'config-invalid',
    'This change cannot be made without rewriting the file.',
    'Change quarry.toml in an editor.',
  );
}

/**
 * The text without a setting, and with all other lines: those are taken out without which the file means the rest. The
 * library that edits values would take comments nearby with them.
 */
function withoutSetting(text: string, key: string): string {
  const table = parse(text) as Table;
  const name = nameInFile(table, key);
  if (valueAt(table, name) === undefined) return text;
  place(table, name, undefined);
  const leaf = name.split('.').at(-1) ?? name;
  const lines = text.split('\n');
  for (const [first, line] of lines.entries()) {
    if (!line.split('=')[0]?.includes(leaf)) continue;
    for (let last = first; last < Math.min(first + longestValue, lines.length); last += 1) {
      const rest = lines.toSpliced(first, last - first + 1).join('\n');
      if (means(rest, table)) return rest;
    }
  }
  return patch(text, table);
}

function nameInFile(table: Table, key: string): string {
  const former = Object.entries(legacyKeys).filter(([, { key: target }]) => target === key);
  return former.find(([name]) => valueAt(table, name) !== undefined)?.[0] ?? key;
}

function valueAt(table: Table, key: string): unknown {
  return key.split('.').reduce<unknown>((inner, part) => (inner as Table | undefined)?.[part], table);
}

function place(table: Table, key: string, value: unknown): void {
  const parts = key.split('.');
  const leaf = parts.pop() ?? key;
  let inner = table;
  for (const part of parts) {
    if (value === undefined && inner[part] === undefined) return;
    inner[part] ??= {};
    inner = inner[part] as Table;
  }
  if (value === undefined) delete inner[leaf];
  else inner[leaf] = value;
}

function means(text: string, table: Table): boolean {
  try {
    return isDeepStrictEqual(plain(parseStrictly(text)), plain(table));
  } catch {
    // What cannot be parsed does not mean it.
    return false;
  }
}

/** As data: both readers have classes of their own for dates, and a table that became empty means nothing. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner));
  const prune = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    const entries = Object.entries(inner).map(([name, part]) => [name, prune(part)] as const);
    return Object.fromEntries(entries.filter(([, part]) => !isDeepStrictEqual(part, {})));
  };
  return prune(JSON.parse(text));
}
