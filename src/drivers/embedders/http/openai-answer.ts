import type { HttpAnswer } from '../../../platform/http/connection.ts';
import { property } from '../../../platform/http/json-property.ts';
import { jsonOf, malformed } from '../../../platform/http/read-json.ts';
import type { Service } from '../../../platform/http/refusal.ts';
import { requireCount } from './read-answer.ts';
import { rowOfBase64, rowOfNumbers } from './rows.ts';

/**
 * The vectors of a successful JSON answer of OpenAI's endpoint, as base64 or lists, in the order of the request. Each
 * vector stands where its index says; an index that is missing, repeated or out of range is an error.
 */
export function rowsOfOpenAi(answer: HttpAnswer, count: number, service: Service): Float32Array[] {
  const data = property(jsonOf(answer, service), 'data');
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
