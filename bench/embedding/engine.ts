// One engine in a process of its own, so that its CPU time is its own: embeds the mixed texts, writes its vectors to
// the file named last and prints its figures as JSON.
// Usage: node bench/embedding/engine.ts ours|pipeline|pipeline-batches COUNT PEER-FOLDER VECTORS-FILE
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openProject } from '../../src/index.ts';
import { bundledQueryInstallation } from '../../src/models/model-files.ts';
import { bundledTokenizer } from '../../src/models/tokenizers/bundled.ts';
import { mixedTexts } from './mixed-texts.ts';

type Embed = (texts: readonly string[]) => Promise<Float32Array[]>;
const pipelineBatch = 32;

const [engine = '', count = '300', peer = '', vectorsFile = ''] = process.argv.slice(2);
const texts = mixedTexts(Number(count));
const embed =
  engine === 'ours' ? await openOurs() : await openPipeline(engine === 'pipeline' ? 1 : pipelineBatch);
await embed(texts.slice(0, 32));
const cpu = process.cpuUsage();
const started = performance.now();
const vectors = await embed(texts);
const seconds = (performance.now() - started) / 1000;
const used = process.cpuUsage(cpu);

const tokenizer = bundledTokenizer();
const tokens = texts.reduce((sum, text) => sum + tokenizer.encode(text).length + 2, 0);
const cutting = performance.now();
for (let round = 0; round < 10; round += 1) for (const text of texts) tokenizer.encode(text);
const tokenizing = (performance.now() - cutting) / 10_000;
writeFileSync(vectorsFile, Buffer.concat(vectors.map((vector) => Buffer.from(vector.buffer))));
const cpuSeconds = (used.user + used.system) / 1e6;
const memory = Math.round(process.memoryUsage().rss / 2 ** 20);
console.log(JSON.stringify({ tokens, seconds, cpuSeconds, tokenizing, memory }));
// The model's threads have nothing left to do; waiting until they are idle is not part of the measurement.
process.exitCode = 0;

async function openOurs(): Promise<Embed> {
  const project = await openProject(mkdtempSync(join(tmpdir(), 'quarry-bench-')), {
    settings: { 'cache.max_bytes': 0, 'embedder.model': bundledQueryInstallation.card.name },
  });
  const embedder = await project.embedder();
  const { batchTexts, concurrency } = embedder.limits;
  return async (all) => {
    const vectors: Float32Array[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < all.length) {
        const at = next;
        next += batchTexts;
        const made = await embedder.embed(all.slice(at, at + batchTexts), { as: 'chunk' });
        made.forEach((vector, index) => {
          vectors[at + index] = vector;
        });
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return vectors;
  };
}

/** The same weights through the pipeline of transformers.js, from a folder laid out as it wants it. */
async function openPipeline(batch: number): Promise<Embed> {
  const { pipeline, env } = createRequire(join(peer, 'package.json'))('@huggingface/transformers');
  const models = mkdtempSync(join(tmpdir(), 'quarry-bench-'));
  const folder = join(models, 'minilm');
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  const { folder: home } = bundledQueryInstallation;
  cpSync(join(home, 'model.onnx'), join(folder, 'onnx', 'model_quantized.onnx'));
  cpSync(join(home, 'tokenizer.json'), join(folder, 'tokenizer.json'));
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ model_type: 'bert', hidden_size: 384 }));
  writeFileSync(
    join(folder, 'tokenizer_config.json'),
    JSON.stringify({
      tokenizer_class: 'BertTokenizer',
      model_max_length: 256,
      do_lower_case: true,
      cls_token: '[CLS]',
      sep_token: '[SEP]',
      pad_token: '[PAD]',
      unk_token: '[UNK]',
    }),
  );
  env.localModelPath = models;
  env.allowRemoteModels = false;
  const extract = await pipeline('feature-extraction', 'minilm', { dtype: 'q8' });
  return async (all) => {
    const vectors: Float32Array[] = [];
    for (let at = 0; at < all.length; at += batch) {
      const output = await extract(all.slice(at, at + batch), { pooling: 'mean', normalize: true });
      for (let row = 0; row < output.dims[0]; row += 1)
        vectors.push(Float32Array.from(output.data.slice(row * 384, (row + 1) * 384)));
    }
    return vectors;
  };
}
