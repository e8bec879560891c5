import type { z } from 'zod';
import { QuarryError } from '../../../core/errors.ts';
import { firstIssue, untilFirstIssue } from '../../../core/failures/first-issue.ts';
import { boundJson, type JsonBounds } from '../../../platform/json-bounds.ts';
import { readBody } from './read-body.ts';
import type { RequestOf } from './request-context.ts';

/** How large the body of a request may be. */
export interface InputBounds extends JsonBounds {
  readonly bytes: number;
}

/** Enough for a long query with its filters; a route that takes texts or vectors says so. */
const defaultBounds: InputBounds = { bytes: 256 * 1024, values: 10_000, numbers: 10_000 };

/** The JSON object in the body of a request; an empty body is an empty object. */
export async function readInput(
  c: RequestOf,
  bounds: Partial<InputBounds> = {},
): Promise<Record<string, unknown>> {
  const value = await readJson(c, bounds);
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new QuarryError('usage-invalid', 'The body is not a plain JSON object.', 'Send a JSON object.');
  return value as Record<string, unknown>;
}

/** The body of a request, checked. */
export async function readChecked<Schema extends z.ZodType>(
  c: RequestOf,
  schema: Schema,
  bounds?: Partial<InputBounds>,
): Promise<z.output<Schema>> {
  return checkedInput(schema, await readInput(c, bounds));
}

/** What a caller has sent, as the schema understands it. */
export function checkedInput<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  remedy = 'See /openapi.json.',
): z.output<Schema> {
  const parsed = schema.safeParse(body, untilFirstIssue);
  if (parsed.success) return parsed.data;
  throw new QuarryError('usage-invalid', `${firstIssue(parsed.error, 'the input')}.`, remedy);
}

/** The JSON in the body of a request; undefined where that is empty. */
export async function readJson(c: RequestOf, given: Partial<InputBounds> = {}): Promise<unknown> {
  const bounds = { ...defaultBounds, ...given };
  const decoder = new TextDecoder();
  const check = boundJson(bounds);
  let text = '';
  for await (const part of readBody(c, bounds.bytes)) {
    check(part);
    text += decoder.decode(part, { stream: true });
  }
  text += decoder.decode();
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new QuarryError('usage-invalid', 'The body is not JSON.', 'Send a JSON object.', { cause });
  }
}
