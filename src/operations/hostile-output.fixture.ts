import fc from 'fast-check';
import type { z } from 'zod';
import { QuarryError } from '../core/errors.ts';
import { hostileText, order } from '../core/text/shown-text.fixture.ts';

/** Every string of a foreign answer: hostile, and with an order on a line of its own, which is looked for. */
const hostile = hostileText.map((text) => `x${text}\n${order}`);

/** What is read of a schema; zod gives each kind of schema a type of its own. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly items?: readonly z.ZodType[];
  readonly options?: readonly z.ZodType[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly out?: z.ZodType;
}

/** Answers of the form of a schema in which every string is hostile. */
export function hostileAnswer(schema: z.ZodType): fc.Arbitrary<unknown> {
  const def = schema.def as unknown as Definition;
  const inner = def.innerType ?? def.out;
  switch (def.type) {
    case 'string':
    case 'unknown':
    case 'any':
      return hostile;
    case 'number':
    case 'int':
      return fc.integer({ min: 1, max: 40 });
    case 'custom':
      // The errors of events.
      return hostile.map((text) => new QuarryError('internal', text, text));
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? {}));
    case 'literal':
      return fc.constantFrom(...(def.values ?? []));
    case 'array':
      return fc.array(hostileAnswer(def.element as z.ZodType), { minLength: 1, maxLength: 2 });
    case 'tuple':
      return fc.tuple(...(def.items ?? []).map(hostileAnswer));
    case 'union':
      return fc.oneof(...(def.options ?? []).map(hostileAnswer));
    case 'record':
      return fc.dictionary(hostile, hostileAnswer(def.valueType as z.ZodType), { maxKeys: 2 });
    case 'object':
      return fc.record(mapped(def.shape ?? {}, hostileAnswer));
    case 'optional':
    case 'nullable':
      return fc.option(hostileAnswer(inner as z.ZodType), { nil: undefined });
    default:
      if (inner) return hostileAnswer(inner);
      throw new TypeError(`No hostile answer for a schema of the type ${def.type}.`);
  }
}

function mapped<Value, Result>(values: Readonly<Record<string, Value>>, change: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
