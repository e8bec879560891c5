import { z } from 'zod';
import { withoutWrappers } from '../core/settings/setting-text.ts';
import { isTable, type SettingField } from './settings.ts';

/** What is wrong with a value, in words of a person. */
export interface BadValue {
  /** The setting, or the entry of one that is a table. */
  readonly key: string;
  readonly value: unknown;
  /** What it should be, to follow "…; ". */
  readonly expected: string;
  readonly remedy: string;
}

/** What is wrong with a value of a setting first; undefined where it is good. */
export function badValue(field: SettingField, value: unknown): BadValue | undefined {
  const { key, schema } = field;
  const result = schema.safeParse(value);
  const words = typeInWords(schema);
  const bad = { key, value, remedy: `Write ${words}: ${begun(field.description)}.` };
  if (result.success) {
    const name = badName(schema, value);
    return name === undefined
      ? undefined
      : {
          ...bad,
          expected: `the name "${name}" does not begin with a letter or digit, or has special characters`,
        };
  }
  const [issue] = result.error.issues;
  if (!issue) return undefined;
  const [entry] = issue.path;
  const isEntry = isTable(schema) && typeof entry === 'string';
  const at = isEntry
    ? { key: `${key}.${entry}`, value: (value as Record<string, unknown> | undefined)?.[entry] }
    : { key, value };
  const { remedy } =
    ('params' in issue ? (issue.params as { remedy?: string } | undefined) : undefined) ?? {};
  return {
    ...bad,
    ...at,
    expected: expectedBy(issue, isEntry ? undefined : words),
    ...(remedy && { remedy }),
  };
}

function expectedBy(issue: z.core.$ZodIssue, words: string | undefined): string {
  if (issue.code === 'too_big') return `the most is ${issue.maximum}`;
  if (issue.code === 'too_small')
    return issue.origin === 'string' || issue.origin === 'array'
      ? 'it must not be empty'
      : `the least is ${issue.minimum}`;
  if (issue.code === 'unrecognized_keys') return `it has no entry ${JSON.stringify(issue.keys[0])}`;
  if (issue.code === 'invalid_type' && words === undefined)
    return `it has to be ${typeNames[issue.expected] ?? issue.expected}`;
  if (issue.code === 'custom' || words === undefined)
    return `${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
  return `it has to be ${words}`;
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'a table',
  record: 'a table',
  string: 'a text',
};

/** What may be written for a setting, to follow "Write ". */
function typeInWords(schema: z.ZodType): string {
  const inner = withoutWrappers(schema);
  if (inner instanceof z.ZodEnum) return `one of ${inner.options.join(', ')}`;
  if (inner instanceof z.ZodArray) return 'a list of texts, such as ["docs", "src"]';
  if (isTable(inner)) return 'a table';
  if (inner instanceof z.ZodBoolean) return 'true or false';
  if (!(inner instanceof z.ZodNumber)) return 'a text';
  const { minimum, maximum, type } = z.toJSONSchema(inner) as Record<'minimum' | 'maximum' | 'type', unknown>;
  return `a ${type === 'integer' ? 'whole number' : 'number'} from ${minimum} to ${maximum}`;
}

/** The first entry of a table with a name that could not be distinguished from what every object has, or from the text around it. */
function badName(schema: z.ZodType, value: unknown): string | undefined {
  const names = isTable(schema) ? Object.keys(value as object) : [];
  return names.find((name) => !/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(name));
}

/** A sentence as it follows a colon. */
function begun(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
}
