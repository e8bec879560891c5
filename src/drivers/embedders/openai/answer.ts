import type { HttpAnswer } from '../../http/connection.ts';
import { property } from '../../http/json-property.ts';
import { jsonOf, malformed } from '../../http/read-json.ts';
import type { Service } from '../../http/refusal.ts';
import { requireCount } from '../http/read-answer.ts';
import { rowOfBase64, rowOfNumbers, rowsOfFloat16, rowsOfFloat32 } from '../http/rows.ts';

/** The vectors of a successful answer in the order of the request: raw numbers, or JSON with base64 or lists. */
export function rowsOfAnswer(answer: HttpAnswer, count: number, service: Service): Float32Array[] {
  const type = answer.headers['content-type'] ?? '';
  return /^application\/octet-stream\b/i.test(type)
    ? rowsOfBytes(answer, /;\s*dtype="?float16\b/i.test(type), count, service)
    : rowsOfJson(jsonOf(answer, service), count, service);
}

function rowsOfBytes(answer: HttpAnswer, isHalf: boolean, count: number, service: Service): Float32Array[] {
  const dimensions = Number(answer.headers['x-embedding-dimensions'] ?? Number.NaN);
  if (!Number.isSafeInteger(dimensions) || dimensions < 1) {
    throw malformed(service, 'the header x-embedding-dimensions is missing or no number');
  }
  const expected = count * dimensions * (isHalf ? 2 : 4);
  if (answer.body.length !== expected) {
    throw malformed(service, `it has ${answer.body.length} bytes, not ${expected} for ${count} vectors`);
  }
  return isHalf ? rowsOfFloat16(answer.body, dimensions) : rowsOfFloat32(answer.body, dimensions);
}

/** Puts each vector where its index says; an index that is missing, repeated or out of range is an error. */
function rowsOfJson(body: unknown, count: number, service: Service): Float32Array[] {
  const data = property(body, 'data');
  if (!Array.isArray(data)) throw malformed(service, 'it has no "data"');
  requireCount(data, count, service);
  const rows = new Map<number, Float32Array>();
  for (const item of data) {
    const index = property(item, 'index');
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
      throw malformed(service, 'a vector has no index, or one that was not asked for');
    }
    if (rows.has(index)) throw malformed(service, `the index ${index} comes twice`);
    rows.set(index, rowOf(property(item, 'embedding'), service));
  }
  return Array.from({ length: count }, (_, index) => rows.get(index) ?? new Float32Array());
}

function rowOf(embedding: unknown, service: Service): Float32Array {
  const row = typeof embedding === 'string' ? rowOfBase64(embedding) : rowOfNumbers(embedding);
  if (!row) throw malformed(service, 'a vector is neither base64 nor a list of numbers');
  return row;
}
