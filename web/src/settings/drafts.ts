import type { InputOf, ResultOf } from '../api/operations.ts';

export type Setting = ResultOf<'config show'>['settings'][number];

/** What the reader has changed and not yet saved: a text by key, or `unset` to take the setting out of the file. */
export type Drafts = ReadonlyMap<string, string | typeof unset>;
export const unset = Symbol('unset');

/** How a setting is edited. */
export type Kind = 'switch' | 'choice' | 'number' | 'list' | 'table' | 'text';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The schema of a setting, as far as a form needs it. */
export function schemaOf({ schema }: Setting): Schema {
  return (schema ?? {}) as Schema;
}

/** The way to edit a setting. */
export function kindOf(setting: Setting): Kind {
  const { type, enum: choices } = schemaOf(setting);
  if (choices) return 'choice';
  if (type === 'boolean') return 'switch';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return 'list';
  return type === 'object' ? 'table' : 'text';
}

/** The value as it is edited: a list has an entry a line. */
export function textOf(setting: Setting): string {
  const { value } = setting;
  if (value === undefined) return '';
  const kind = kindOf(setting);
  if (kind === 'list') return (value as unknown[]).join('\n');
  return kind === 'table' ? JSON.stringify(value, null, 2) : String(value);
}

/** The input of the operation that saves the drafts. */
export function changesOf(
  settings: readonly Setting[],
  drafts: Drafts,
): Pick<InputOf<'config set'>, 'changes' | 'unset'> {
  const changes: string[] = [];
  const removed: string[] = [];
  for (const setting of settings) {
    const draft = drafts.get(setting.key);
    if (draft === undefined) continue;
    const isEmpty = draft !== unset && draft.trim() === '' && !['list', 'text'].includes(kindOf(setting));
    if (draft === unset || isEmpty) removed.push(setting.key);
    else changes.push(`${setting.key}=${kindOf(setting) === 'list' ? listOf(draft) : draft}`);
  }
  return { changes, unset: removed };
}

function listOf(text: string): string {
  const entries = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return JSON.stringify(entries);
}
