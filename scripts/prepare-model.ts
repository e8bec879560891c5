// `node scripts/prepare-model.ts FROM TO`: has the runtime optimise the graph of an ONNX file once and writes the result, which
// loads in two thirds of the time. The same weights and the same runtime give the same bytes, so that anyone can check a
// prepared file by its hash. Only optimisations that hold for every processor are done. Where a single bit of any vector
// differs nothing is kept.
import { rmSync } from 'node:fs';
import type { InferenceSession } from 'onnxruntime-common';
import { hashOfFile } from '../src/models/file-hash.ts';
import { loadRuntime } from '../src/models/inference/runtime.ts';

const [from = '', to = ''] = process.argv.slice(2);
const { InferenceSession: Session, Tensor, env } = await loadRuntime('The preparation of a model');
env.logLevel = 'fatal';
const options = { executionProviders: ['cpu'], intraOpNumThreads: 1 };
const published = await Session.create(from, { ...options, graphOptimizationLevel: 'all' });
await Session.create(from, { ...options, graphOptimizationLevel: 'extended', optimizedModelFilePath: to });
const prepared = await Session.create(to, { ...options, graphOptimizationLevel: 'all' });

/** All outputs for a row of tokens that depends on its length alone. */
async function outputsOf(session: InferenceSession, length: number): Promise<Buffer> {
  const ids = Array.from({ length }, (_, index) => 1_000 + ((index * 7_919 + length) % 28_000));
  const rows: Record<string, readonly number[]> = {
    input_ids: [101, ...ids, 102],
    attention_mask: new Array<number>(length + 2).fill(1),
    token_type_ids: new Array<number>(length + 2).fill(0),
  };
  const feeds = session.inputNames.map((name) => {
    const values = BigInt64Array.from(rows[name] ?? [], BigInt);
    return [name, new Tensor('int64', values, [1, values.length])] as const;
  });
  const outputs = await session.run(Object.fromEntries(feeds));
  return Buffer.concat(
    Object.values(outputs).map(({ data }) => {
      const { buffer, byteOffset, byteLength } = data as Float32Array<ArrayBuffer>;
      return Buffer.from(buffer, byteOffset, byteLength);
    }),
  );
}

for (const length of [1, 2, 7, 16, 63, 128, 254]) {
  if ((await outputsOf(published, length)).equals(await outputsOf(prepared, length))) continue;
  rmSync(to);
  throw new Error(`The prepared model gives other vectors for ${length} tokens.`);
}
console.log(`${await hashOfFile(from)}  ${from}\n${await hashOfFile(to)}  ${to}`);
