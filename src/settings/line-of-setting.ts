import { QuarryError } from '../core/errors.ts';
import { scanToml } from '../core/settings/toml/scan-toml.ts';

/** Characters of a file in which lines are looked for: to scan one of a megabyte takes seconds, and no person writes it. */
const maxText = 2 ** 16;

/** The error for a setting of a file, whose remedy names the line too. The text is valid TOML. */
export function namingLine(thrown: unknown, text: string, key: string): unknown {
  const line = text.length > maxText ? undefined : lineOfSetting(text, key);
  if (!(thrown instanceof QuarryError) || line === undefined) return thrown;
  const { code, message, remedy } = thrown;
  return new QuarryError(code, message, `${remedy} It is set in line ${line}.`, { cause: thrown });
}

/** The line in which a setting by its dotted key, or the table that is its value, is written. */
function lineOfSetting(text: string, key: string): number | undefined {
  const starts = scanToml(text).flatMap((section) => [
    ...section.entries.map(({ path, start }) => ({ name: [...section.path, ...path].join('.'), start })),
    ...(section.header ? [{ name: section.path.join('.'), start: section.header.start }] : []),
  ]);
  const found =
    starts.find(({ name }) => name === key) ??
    starts.find(({ name }) => name.startsWith(`${key}.`) || (name !== '' && key.startsWith(`${name}.`)));
  return found && text.slice(0, found.start).split('\n').length;
}
