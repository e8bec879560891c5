import { expect, test } from 'vitest';
import type { Changes } from './store.ts';
import { encodeArguments, storeCalls } from './store-calls.ts';

const travelled = (value: unknown): never => JSON.parse(JSON.stringify(value)) as never;

test('a vector keeps every bit on its way, also one that is part of a larger buffer', () => {
  const vector = new Float32Array([0, 1 / 3, -0, Number.NaN, 1e-45, 3.4e38]).subarray(1);
  const sent = travelled(
    encodeArguments('commit', [{ vectors: new Map([['space', [{ embeddingKey: 'key', vector }]]]) }]),
  );
  const [changes] = storeCalls.commit.input.decode(sent) as [Changes];
  const [entry] = changes.vectors?.get('space') ?? [];
  expect(new Uint32Array(entry?.vector.buffer ?? new ArrayBuffer(0))).toEqual(
    new Uint32Array(vector.slice().buffer),
  );
});

test('arguments that are left out arrive as null, and bytes that are no vector are refused', () => {
  expect(encodeArguments('missingVectors', ['space', 3])).toEqual(['space', 3, null]);
  const { success } = storeCalls.commit.input.safeDecode([
    { vectors: [['space', [{ embeddingKey: 'key', vector: 'AAA=' }]]] },
  ] as never);
  expect(success).toBe(false);
});
