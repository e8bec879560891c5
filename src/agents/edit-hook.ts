import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser';
import { newlineOf } from '../core/text/text-lines.ts';

/** Where commands stand that run when a conversation begins. */
const place = ['hooks', 'SessionStart'];

/** Settings with a command that prints a line when a conversation begins, or without it. */
export function editHook(text: string, line: string | undefined): string {
  const errors: ParseError[] = [];
  const parsed: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors.length > 0) throw new TypeError(`it is not JSON at offset ${errors[0]?.offset}`);
  const found = commandsIn(parsed);
  const at = found.findIndex((each) =>
    JSON.stringify(each).includes("echo 'Quarry has an index of this folder:"),
  );
  const entry = line === undefined ? undefined : { hooks: [{ type: 'command', command: `echo '${line}'` }] };
  if (entry === undefined && at < 0) return text;
  if (entry !== undefined && JSON.stringify(found[at]) === JSON.stringify(entry)) return text;
  const base = text.trim() === '' ? '{}\n' : text;
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: newlineOf(text) };
  const whole = found.length === 0;
  const path = whole ? place : [...place, at < 0 ? found.length : at];
  const value = whole && entry !== undefined ? [entry] : entry;
  return applyEdits(
    base,
    modify(base, path, value, { formattingOptions, isArrayInsertion: !whole && at < 0 }),
  );
}

function commandsIn(settings: unknown): readonly unknown[] {
  let at = settings;
  for (const key of place) at = isObject(at) ? at[key] : undefined;
  if (at !== undefined && !Array.isArray(at)) throw new TypeError(`${place.join('.')} is no list`);
  return at ?? [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
