import type { z } from 'zod';
import { QuarryError } from '../../../core/errors.ts';
import type { RequestOf } from './request-context.ts';

/** The largest body in bytes, unless a route says otherwise. */
const usualLargest = 16 * 1024 * 1024;

/** The deepest nesting of a body; no operation needs more, and deeper ones only cost time. */
const deepest = 32;

/** The JSON object in the body of a request; an empty body is an empty object. */
export async function readInput(c: RequestOf, largest = usualLargest): Promise<Record<string, unknown>> {
  const text = await readText(c, largest);
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new QuarryError('usage-invalid', 'The body is not JSON.', 'Send a JSON object.', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depthOf(value) > deepest)
    throw new QuarryError('usage-invalid', 'The body is not a plain JSON object.', 'Send a JSON object.');
  return value as Record<string, unknown>;
}

/** The body of a request, checked. */
export async function readChecked<Schema extends z.ZodType>(
  c: RequestOf,
  schema: Schema,
): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(await readInput(c));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new QuarryError(
    'usage-invalid',
    `${issue?.path.join('.') || 'the input'}: ${issue?.message}.`,
    'See /openapi.json.',
  );
}

/** The text of the body. It is counted as it arrives, since a caller may announce less than it sends. */
async function readText(c: RequestOf, largest: number): Promise<string> {
  const announced = Number(c.req.header('content-length') ?? 0);
  if (announced > largest) throw tooLarge(largest);
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of c.req.raw.body ?? []) {
    bytes += part.length;
    if (bytes > largest) throw tooLarge(largest);
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

function tooLarge(largest: number): QuarryError {
  return new QuarryError(
    'request-too-large',
    `The body is larger than ${largest} bytes.`,
    'Send less at once.',
  );
}

/** Level by level, so that neither depth nor length costs stack. */
function depthOf(value: object): number {
  let level: object[] = [value];
  for (let depth = 0; ; depth += 1) {
    if (level.length === 0 || depth > deepest) return depth;
    level = level.flatMap((outer) =>
      Object.values(outer).filter((inner): inner is object => typeof inner === 'object' && inner !== null),
    );
  }
}
