// Writes what is to be judged: for every question of the held-out packages the best ten chunks of the engine, and the
// best ten with a reranker, each passage once.
// Usage: node training/questions/pool.ts FOLDER OUTPUT, where FOLDER/<source id>/ holds each unpacked package.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWrittenQuestions } from '../../bench/collections/written-questions.ts';
import type { Hit } from '../../src/core/hit.ts';
import type { SetPart } from '../../src/evaluation/evaluation-set.ts';

const depth = 10;
const [folder = '', output = ''] = process.argv.slice(2);
const ways = [{ 'reranker.driver': 'none' }, { 'reranker.driver': 'maxsim', 'reranker.budget_ms': '10000' }];
mkdirSync(output, { recursive: true });
for (const part of readWrittenQuestions(`questions:${folder}:held-out`).parts)
  if (!existsSync(fileOf(part))) await writePool(part);

async function writePool(part: SetPart): Promise<void> {
  const { questions, open } = part;
  const found = questions.map(() => new Map<string, Hit>());
  for (const settings of ways) {
    const { project, close } = await open(settings);
    try {
      for await (const event of project.index()) if (event.type === 'vectors-failed') throw event.error;
      for (const [number, { text }] of questions.entries()) {
        const { hits } = await project.search(text, { update: false, topK: depth });
        for (const hit of hits) found[number]?.set(hit.chunk.id, hit);
      }
    } finally {
      await close();
    }
  }
  const pages = questions.map(({ id, text, labels }, number) => {
    const known = labels.map(({ path, lines }) => `${path}:${lines?.join('-')}`);
    const passages = [...(found[number]?.values() ?? [])].flatMap(passageOf);
    return [`# ${id}: ${text}`, `known answers: ${known.join(', ')}`, ...passages].join('\n\n');
  });
  writeFileSync(fileOf(part), `${pages.join('\n\n')}\n`);
}

function fileOf({ questions }: SetPart): string {
  return join(output, `${questions[0]?.id.split('/')[0]}.md`);
}

/** A passage with its lines in the file; none where it has no lines. */
function passageOf({ chunk, document }: Hit): string[] {
  const { place } = chunk;
  return place.kind === 'lines' ? [`## ${document.uri}:${place.first}-${place.last}\n\n${chunk.text}`] : [];
}
