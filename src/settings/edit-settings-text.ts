import { QuarryError } from '../core/errors.ts';
import { withoutBareHeader } from '../core/settings/toml/bare-header.ts';
import { editToml } from '../core/settings/toml/edit-toml.ts';
import { legacyKeys } from './legacy-names.ts';
import { parseSettings } from './parse-settings.ts';
import { retiredNames } from './retired-settings.ts';

/** New values of settings by dotted key; undefined takes a setting out of the file. */
export type SettingChanges = ReadonlyMap<string, unknown>;

/**
 * The text of a settings file with these changes. Everything else stays byte for byte; a setting that the file has under
 * the name of an earlier tool keeps that name.
 */
export function editSettingsText(text: string, changes: SettingChanges): string {
  const table = parseSettings(text);
  return [...changes].reduce(
    (current, [key, value]) =>
      namesInFile(table, key, value).reduce((edited, [name, written]) => {
        const path = name.split('.');
        const result = editToml(edited, path, written);
        // An edit that does not mean what was asked for must not be written.
        if (result === undefined) throw unwritable(name);
        return written === undefined ? withoutBareHeader(edited, result, path) : result;
      }, current),
    text,
  );
}

/**
 * What is written under which name: under each that the file has the setting by, else under its own. A value that a name
 * of an earlier tool cannot say takes that name's place, and so it does that of a name of the version before.
 */
function namesInFile(table: object, key: string, value: unknown): [string, unknown][] {
  const retired = retiredNames(key).filter((name) => isSet(table, name));
  const previous = Object.entries(legacyKeys).filter(
    ([name, legacy]) => (legacy.key === key || legacy.key.startsWith(`${key}.`)) && isSet(table, name),
  );
  const writtenAs = previous.map(([name]): [string, unknown] => {
    // There, an empty text is a setting that is not set, and "chroma" without an address another store.
    const { key: meant } = legacyKeys[name] ?? {};
    const isSayable = meant === key && value !== '' && (key !== 'store.driver' || value !== 'chroma');
    return [name, isSayable ? value : undefined];
  });
  const isWritten = writtenAs.some(([, written]) => written !== undefined);
  const today: [string, unknown][] = isWritten && !isSet(table, key) ? [] : [[key, value]];
  return [...retired.map((name): [string, undefined] => [name, undefined]), ...writtenAs, ...today];
}

function isSet(table: object, key: string): boolean {
  const inner = key.split('.').reduce<unknown>((at, name) => {
    const isTable = typeof at === 'object' && at !== null && Object.hasOwn(at, name);
    return isTable ? (at as Record<string, unknown>)[name] : undefined;
  }, table);
  return inner !== undefined;
}

function unwritable(name: string): QuarryError {
  return new QuarryError(
    'config-invalid',
    `${name} cannot be changed without rewriting quarry.toml.`,
    'Change it in an editor.',
  );
}
