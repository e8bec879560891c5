import { QuarryError } from '../../core/errors.ts';
import type { RequestOf } from './request-context.ts';

/** The largest body in bytes. */
const largest = 16 * 1024 * 1024;

/** The deepest nesting of a body; no operation needs more, and deeper ones only cost time. */
const deepest = 32;

/** The JSON object in the body of a request; an empty body is an empty object. */
export async function readInput(c: RequestOf): Promise<Record<string, unknown>> {
  const text = await readText(c);
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

/** The text of the body. It is counted as it arrives, since a caller may announce less than it sends. */
async function readText(c: RequestOf): Promise<string> {
  const announced = Number(c.req.header('content-length') ?? 0);
  if (announced > largest) throw tooLarge();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of c.req.raw.body ?? []) {
    bytes += part.length;
    if (bytes > largest) throw tooLarge();
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

function tooLarge(): QuarryError {
  return new QuarryError(
    'request-too-large',
    `The body is larger than ${largest} bytes.`,
    'Send less at once.',
  );
}

function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > deepest) return depth;
  return Math.max(depth, ...Object.values(value).map((inner) => depthOf(inner, depth + 1)));
}
