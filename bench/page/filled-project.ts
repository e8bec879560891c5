// A project with many chunks, made without a model: its store is filled directly, with vectors that lie around topics.

import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VectorEntry } from '../../src/contracts/store.ts';
import { draws } from '../../src/core/draws.ts';
import { sha256 } from '../../src/core/identity.ts';
import { putDocument, setFact } from '../../src/index/write.ts';
import type { Environment } from '../../src/platform/environment.ts';
import { openProject } from '../../src/project/open-project.ts';
import { recipeOf } from '../../src/settings/recipe.ts';
import { chunkEntries, documentRecord, manifestEntry } from '../../src/testing/documents.ts';

const topics = 60;
const width = 256;
/** The index is as it was made here: a run would make it again. */
const settings = `[embedder]\ndriver = "hashing"\ndimensions = ${width}\n\n[index]\non_search = false\n`;

/**
 * Writes the files of a project and its index; each section of a file is a chunk. The index is of the user that the
 * environment names: any other sets it aside.
 */
export async function fillProject(
  folder: string,
  { files, sections, environment }: { files: number; sections: number; environment: Environment },
): Promise<void> {
  const random = draws(11);
  const word = (topic: number) => `w${topic}x${Math.floor(random() * 40)}`;
  const near = vectorsAround(random);
  writeFileSync(join(folder, 'quarry.toml'), settings);
  for (let topic = 0; topic < topics; topic += 1) mkdirSync(join(folder, `topic-${topic}`));
  const project = await openProject(folder, { environment });
  const [store, { fingerprint }] = [await project.store(), await project.embedder()];
  const recipe = recipeOf(project.settings);
  for (let file = 0; file < files; file += 1) {
    const topic = Math.floor(random() * topics);
    const uri = `topic-${topic}/note-${file}.md`;
    const texts = Array.from({ length: sections }, (_, section) => {
      const words = Array.from({ length: 30 }, () =>
        word(random() < 0.8 ? topic : Math.floor(random() * topics)),
      );
      return `# Part ${section} of ${file}\n\n${words.join(' ')}.\n`;
    });
    const path = join(folder, uri);
    writeFileSync(path, texts.join('\n'));
    const { size, mtimeMs } = statSync(path);
    const content = { revision: sha256(texts.join('\n')), modifiedAt: mtimeMs };
    const document = documentRecord(uri, { ...content, mediaType: 'text/markdown' });
    const entries = chunkEntries(document, texts);
    const manifest = { size, modifiedAt: mtimeMs, contentHash: content.revision, recipe, chunks: sections };
    const vectors: VectorEntry[] = entries.map(({ embeddingKey }) => ({
      embeddingKey,
      vector: near(topic),
    }));
    await putDocument(store, {
      document,
      chunks: entries,
      manifest: manifestEntry(uri, manifest),
      vectors: new Map([[fingerprint, vectors]]),
    });
  }
  await setFact(store, 'synced-at', String(Date.now()));
  await project.close();
}

/** Vectors of length one around the middle of a topic. */
function vectorsAround(random: () => number): (topic: number) => Float32Array {
  const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  const middles = Array.from({ length: topics }, () => Float32Array.from({ length: width }, normal));
  return (topic) => {
    const vector = Float32Array.from(middles[topic] ?? [], (value) => value + 0.8 * normal());
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };
}
