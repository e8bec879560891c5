import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, QuarryError } from '../core/errors.ts';
import { parseSettingText, settingToText } from '../core/settings/setting-text.ts';
import { shortened } from '../core/text/shortened.ts';
import { type Environment, userConfigFolder } from '../platform/environment.ts';
import { badValue } from './bad-value.ts';
import { configFileName } from './config-file-name.ts';
import { isKeyVariable } from './embedder-keys.ts';
import { checkNames } from './known-names.ts';
import { legacyKeys, legacyVariables, providerDriver } from './legacy-names.ts';
import { namingLine } from './line-of-setting.ts';
import { protectedLayer } from './lowered-protection.ts';
import { nearSetting } from './near-setting.ts';
import { parseSettings } from './parse-settings.ts';
import { type PresetName, presets } from './presets.ts';
import { asOfToday, retiredSettings, underTodaysNames } from './retired-settings.ts';
import {
  isTable,
  namedEntries,
  type SettingField,
  type Settings,
  settingAt,
  settingFields,
  settingsSchema,
} from './settings.ts';
import { readSettingsFile } from './settings-file.ts';

/** Where a value comes from; later layers win. */
export type SettingLayer = 'default' | 'preset' | 'user' | 'project' | 'environment' | 'flag';

/** A value with the place it was written at, in words for a person. */
export interface SettingOrigin {
  readonly layer: SettingLayer;
  /** `quarry.toml (rag.top_k)`, `QUARRY_SEARCH_TOP_K`, `--top-k`, `default`. */
  readonly place: string;
}

/** Complete settings and where each of them was decided, by dotted key. */
export interface ResolvedSettings {
  readonly settings: Settings;
  readonly origins: ReadonlyMap<string, SettingOrigin>;
  /** Settings of the project's file that lower protection, with their values. */
  readonly lowered: readonly string[];
  /** Those of them that do not count, since the user has not agreed to them. */
  readonly untrusted: readonly string[];
  /** What became of settings that are written as the version before had them, a sentence each. */
  readonly retired: readonly string[];
}

/** What settings are resolved from. */
export interface ConfigSources {
  readonly folder: string;
  readonly environment: Environment;
  /** Names of the variables to look through for unknown `QUARRY_` names. */
  readonly variableNames?: readonly string[];
  /** What the project's file would hold, instead of what it holds. */
  readonly projectText?: string;
  /** Values from the command line or the caller, by dotted key. */
  readonly flags?: Readonly<Record<string, unknown>>;
}

/** Variables that are no settings, besides keys of embedders: a place of this machine, and a key that is written nowhere. */
const ownVariables: ReadonlySet<string> = new Set([
  'QUARRY_CACHE_FOLDER',
  'QUARRY_DATA_FOLDER',
  'QUARRY_RERANKER_API_KEY',
  'QUARRY_GENERATOR_API_KEY',
  'QUARRY_SERVER',
  'QUARRY_TOKEN',
]);

/** Characters of a key or a value that an error shows. */
const maxShownLength = 300;

const flagPlace = '--set or the caller';

const defaultOrigin: SettingOrigin = { layer: 'default', place: 'default' };

interface Entry {
  readonly value: unknown;
  readonly origin: SettingOrigin;
  /** Where each entry of a table was written, by its name. */
  readonly parts?: Readonly<Record<string, SettingOrigin>>;
}
type Layer = ReadonlyMap<string, Entry>;

/** Resolves all layers; the first unknown key or bad value is an error that names its place and the remedy. */
export async function resolveSettings(sources: ConfigSources): Promise<ResolvedSettings> {
  const fields = new Map(settingFields().map((field) => [field.key, field]));
  const configFolder = userConfigFolder(sources.environment);
  const userFile = join(configFolder, configFileName);
  const retired: string[] = [];
  const user = fileLayer(await readIfPresent(userFile), userFile, 'user', fields, retired);
  const text = sources.projectText ?? (await readSettingsFile(sources.folder));
  const project = fileLayer(text, configFileName, 'project', fields, retired);
  const { lowered, untrusted, layer } = await protectedLayer(project, user, {
    configFolder,
    folder: sources.folder,
  });
  const layers = [
    user,
    layer,
    environmentLayer(sources, fields, retired),
    flagLayer(sources.flags ?? {}, fields, retired),
  ];
  const chosen = layers.findLast((layer) => layer.has('preset'))?.get('preset')?.value;
  const merged = new Map<string, Entry>();
  for (const layer of [defaultTables(fields), presetLayer(chosen as PresetName | undefined), ...layers])
    for (const [key, entry] of layer) merged.set(key, joined(merged.get(key), entry, fields.get(key)));
  const store = merged.get('store.driver');
  if (store?.origin.place.endsWith('(rag.vector_store.provider)'))
    merged.set('store.driver', {
      ...store,
      value: providerDriver(store.value, merged.get('store.url')?.value),
    });

  const settings = settingsSchema.parse(nest(merged));
  checkSizes(settings, merged);
  checkNames(settings, (key) => placeOf(key, merged));
  const origins = new Map<string, SettingOrigin>();
  for (const key of fields.keys()) {
    const entry = merged.get(key);
    origins.set(key, entry?.origin ?? defaultOrigin);
    for (const [name, origin] of Object.entries(entry?.parts ?? {})) origins.set(`${key}.${name}`, origin);
  }
  return { settings, origins, lowered, untrusted, retired };
}

/** The settings where nobody has decided anything. */
export async function defaultSettings(): Promise<ResolvedSettings> {
  const fields = new Map(settingFields().map((field) => [field.key, field]));
  const settings = settingsSchema.parse(nest(defaultTables(fields)));
  const origins = new Map([...fields.keys()].map((key) => [key, defaultOrigin]));
  return { settings, origins, lowered: [], untrusted: [], retired: [] };
}

/** Tables have defaults that further entries join, so they take part in the merge. */
function defaultTables(fields: ReadonlyMap<string, SettingField>): Layer {
  const tables = [...fields.values()].filter(({ schema }) => isTable(schema));
  return new Map(
    tables.map(({ key, schema }) => [key, { value: schema.parse(undefined), origin: defaultOrigin }]),
  );
}

/** A table joins the one below it entry by entry; any other value takes its place. */
function joined(below: Entry | undefined, entry: Entry, field: SettingField | undefined): Entry {
  if (!field || !isTable(field.schema)) return entry;
  const originOf = (name: string): SettingOrigin =>
    (entry.parts && Object.hasOwn(entry.parts, name) ? entry.parts[name] : undefined) ?? entry.origin;
  const own = Object.fromEntries(Object.keys(entry.value as object).map((name) => [name, originOf(name)]));
  const value = { ...(below?.value as object | undefined), ...(entry.value as object) };
  return { ...entry, value, parts: { ...below?.parts, ...own } };
}

/** Adds a setting, or an entry of one that is a table, to a layer. */
function put(
  layer: Map<string, Entry>,
  { key, value, origin }: { key: string; value: unknown; origin: SettingOrigin },
  fields: ReadonlyMap<string, SettingField>,
): void {
  const found = settingAt(key, fields);
  const isFlag = origin.layer === 'flag';
  if (!found) {
    const known = [...fields.keys(), ...(isFlag ? [] : Object.keys(legacyKeys))];
    const tables = [...fields].flatMap(([name, { schema }]) => (isTable(schema) ? [name] : []));
    const place = isFlag ? flagPlace : origin.place.replace(/ \(.*\)$/, '');
    throw unknownKey(key, { known, tables, place, value });
  }
  const { field, entry, schema } = found;
  const isText = typeof value === 'string' && (isFlag || origin.layer === 'environment');
  const meant = isText ? parseSettingText(schema, value) : value;
  const whole = entry === undefined ? meant : { [entry]: meant };
  check(field, whole, origin.place);
  layer.set(field.key, joined(layer.get(field.key), { value: whole, origin }, field));
}

function presetLayer(name: PresetName | undefined): Layer {
  const origin = { layer: 'preset', place: `preset ${name}` } as const;
  const values = name ? Object.entries(presets[name]) : [];
  return new Map(values.map(([key, value]) => [key, { value, origin }]));
}

function fileLayer(
  text: string | undefined,
  shownAs: string,
  layer: SettingLayer,
  fields: ReadonlyMap<string, SettingField>,
  retired: string[],
): Layer {
  if (text === undefined) return new Map();
  const entries = new Map<string, Entry>();
  const written = flatten(parseSettings(text, shownAs), fields, shownAs);
  for (const { key, value, writtenAs = key } of underTodaysNames(written, shownAs, retired)) {
    const legacy = Object.hasOwn(legacyKeys, key) ? legacyKeys[key] : undefined;
    const origin = { layer, place: legacy || writtenAs !== key ? `${shownAs} (${writtenAs})` : shownAs };
    // Existing files spell "not set" as an empty string.
    if (legacy && value === '') continue;
    for (const [implied, impliedValue] of Object.entries(legacy?.implies ?? {})) {
      if (!entries.has(implied)) entries.set(implied, { value: impliedValue, origin });
    }
    try {
      put(entries, { key: legacy?.key ?? key, value, origin }, fields);
    } catch (thrown) {
      throw namingLine(thrown, text, writtenAs);
    }
  }
  return entries;
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new QuarryError(
      'file-unreadable',
      `${path} cannot be read: ${messageOf(cause)}`,
      'Make the file readable.',
      {
        cause,
      },
    );
  }
}

function environmentLayer(
  sources: ConfigSources,
  fields: ReadonlyMap<string, SettingField>,
  retired: string[],
): Layer {
  const keysByVariable = (keys: Iterable<string>) =>
    [...keys].map((key) => [variableName(key), key] as const);
  // Names of today come last and win; an entry like `store.mcp.server` has the variable that it always had.
  const keyOfVariable = new Map<string, string>([
    ...keysByVariable(Object.keys(retiredSettings)),
    ...Object.entries(legacyVariables),
    ...keysByVariable([...fields.values()].flatMap(namedEntries)),
    ...keysByVariable(fields.keys()),
  ]);
  const entries = new Map<string, Entry>();
  const written = [...keyOfVariable].flatMap(([variable, key]) => {
    const text = sources.environment(variable);
    const now = text === undefined ? undefined : asOfToday(key, text, variable, retired);
    return now ? [{ ...now, variable, isOfToday: now.key === key }] : [];
  });
  // As in a file: of two that are one number now the larger counts, and a name of today wins over both.
  const sizeOf = ({ isOfToday, value }: (typeof written)[number]): number =>
    isOfToday ? Number.POSITIVE_INFINITY : Number(value) || 0;
  for (const { key, value, variable } of written.toSorted((one, other) => {
    const [size, otherSize] = [sizeOf(one), sizeOf(other)];
    return size === otherSize ? 0 : size - otherSize;
  }))
    put(entries, { key, value, origin: { layer: 'environment', place: variable } }, fields);
  for (const name of sources.variableNames ?? []) {
    if (keyOfVariable.has(name) || ownVariables.has(name) || isKeyVariable(name)) continue;
    throw unknownKey(name, { known: [...keyOfVariable.keys()], place: 'The environment' });
  }
  return entries;
}

/** The variable that sets a key: `search.top_k` is `QUARRY_SEARCH_TOP_K`. */
export function variableName(key: string): string {
  return `QUARRY_${key.replaceAll('.', '_').toUpperCase()}`;
}

function flagLayer(
  flags: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<string, SettingField>,
  retired: string[],
): Layer {
  const entries = new Map<string, Entry>();
  const origin = { layer: 'flag', place: 'command line or caller' } as const;
  const written = underTodaysNames(flatten(flags, fields, flagPlace), flagPlace, retired);
  for (const { key, value } of written) put(entries, { key, value, origin }, fields);
  return entries;
}

/** Tables in tables that a file may have: no setting lies deeper. */
const maxLevels = 8;

/** Leaves of a table by dotted key; a table that is itself a setting (`types`) stays whole. */
function* flatten(
  table: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<string, SettingField>,
  shownAs: string,
  path: readonly string[] = [],
): Iterable<[string, unknown]> {
  if (path.length > maxLevels)
    throw new QuarryError(
      'config-invalid',
      `${shownAs} has more than ${maxLevels} tables within each other, the outermost named ${path[0]}.`,
      'Run `quarry config show` for the list of settings.',
    );
  for (const [name, value] of Object.entries(table)) {
    const key = [...path, name].join('.');
    const isTable =
      typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
    const isSetting = settingAt(key, fields) !== undefined || Object.hasOwn(retiredSettings, key);
    if (isTable && !isSetting)
      yield* flatten(value as Record<string, unknown>, fields, shownAs, [...path, name]);
    else yield [key, value];
  }
}

function check(field: SettingField, value: unknown, place: string): void {
  const bad = badValue(field, value);
  if (!bad) return;
  throw new QuarryError(
    'config-invalid',
    `${shortened(bad.key, maxShownLength)} is ${shown(bad.value)}; ${bad.expected} (${place}).`,
    bad.remedy,
  );
}

/** A value in an error; a very long one by its beginning. */
function shown(value: unknown): string {
  const text = settingToText(value);
  return shortened(text, maxShownLength);
}

interface Unknown {
  readonly known: readonly string[];
  /** Those among them whose entries have names of the user's. */
  readonly tables?: readonly string[];
  readonly place: string;
  readonly value?: unknown;
}

function unknownKey(key: string, { known, tables, place, value }: Unknown): QuarryError {
  const near = nearSetting(key, known, tables);
  const guess = near === undefined ? '' : `Did you mean ${near}? `;
  return new QuarryError(
    'config-invalid',
    `${place} sets ${shortened(key, maxShownLength)}${value === undefined ? '' : ` to ${shown(value)}`}, which is not a setting.`,
    `${guess}Run \`quarry config show\` for the list of settings.`,
  );
}

function nest(layer: Layer): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const [key, { value }] of layer) {
    const parts = key.split('.');
    const leaf = parts.pop() ?? key;
    let table = nested;
    for (const part of parts) {
      table[part] ??= {};
      table = table[part] as Record<string, unknown>;
    }
    table[leaf] = value;
  }
  return nested;
}

/** Where a key was set, in words for a person; one entry of a table by its own name. */
function placeOf(key: string, layer: Layer): string {
  const [table = '', name = ''] = key.split(/\.(.*)/s);
  const part = layer.get(table)?.parts;
  const origin = layer.get(key)?.origin ?? (part && Object.hasOwn(part, name) ? part[name] : undefined);
  return origin?.place ?? 'default';
}

function checkSizes(
  {
    chunking: {
      by_characters: { size, overlap },
    },
  }: Settings,
  layer: Layer,
): void {
  if (overlap < size) return;
  const set = layer.get('chunking.by_characters');
  throw new QuarryError(
    'config-invalid',
    `${set?.origin.place ?? 'default'}: chunking.by_characters.overlap must be smaller than its size (${size}).`,
    'Set both, the overlap below the size.',
  );
}
