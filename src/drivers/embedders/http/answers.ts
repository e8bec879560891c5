import type { HttpAnswer } from '../../../platform/http/connection.ts';
import { property } from '../../../platform/http/json-property.ts';
import { jsonOf, malformed } from '../../../platform/http/read-json.ts';
import { refusalOf, type Service } from '../../../platform/http/refusal.ts';
import type { TooMuch } from './embed-texts.ts';
import { rowOfBase64, rowOfNumbers } from './rows.ts';

const mebibyte = 2 ** 20;

/** Bytes that one vector may take in an answer: enough for 10,000 values written out in full. */
const bytesPerVector = 256 * 1024;

/** Most bytes of an answer with so many vectors; what is longer is none that was asked for. */
export function maxAnswerBytes(vectors: number): number {
  return Math.min(mebibyte + vectors * bytesPerVector, 500 * mebibyte);
}

/** Whether a call succeeded; a refusal that smaller calls may avoid is given back, any other one is thrown. */
export function tooMuchIn(answer: HttpAnswer, service: Service): TooMuch | undefined {
  if (answer.status >= 200 && answer.status < 300) return undefined;
  const { error, tooMuch } = refusalOf(answer, service);
  if (tooMuch) return { error, tooMuch };
  throw error;
}

/** Fails unless there is one vector for each text. */
export function requireCount(rows: readonly unknown[], count: number, service: Service): void {
  if (rows.length !== count) throw malformed(service, `it has ${rows.length} vectors for ${count} texts`);
}

/**
 * The vectors of a successful JSON answer of OpenAI's endpoint, as base64 or lists, in the order of the request. Each
 * vector is placed where its index says; an index that is missing, repeated or out of range is an error.
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
