// What an assistant should have in mind when a letter arrives: node examples/working-memory/main.ts
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatForPrompt, openProject, workingMemory } from 'quarry';
import { say } from '../sample-project.ts';
import { writeMemoryTree } from './tree/write-tree.ts';

const folder = await mkdtemp(join(tmpdir(), 'quarry-example-'));
await writeMemoryTree(join(folder, 'wren'), join(folder, 'questions.jsonl'));
// Rules and notes only: the mail of two months takes some seconds more.
const project = await openProject(join(folder, 'wren'), {
  settings: { 'index.roots': ['prompts', 'memory'] },
});
try {
  const memory = workingMemory(project);
  const { documents } = await memory.updateIndex();
  say(`${documents.indexed} documents remembered`);

  const letter = {
    subject: 'Boiler trouble',
    body: 'The heating is off again and the press is cold. What shall we do?',
  };
  const { chunks, block } = await memory.onArrival(letter);
  say(`\nThe worker's prompt for "${letter.subject}" begins with:\n\n${block}`);
  assert.equal(chunks[0]?.path, 'memory/notes/quirks-heating.md');

  await writeFile(
    join(project.folder, 'memory/notes/hollis.md'),
    '# Hollis\n\nHollis moves to Cardiff in May.\n',
  );
  await memory.indexFile('memory/notes/hollis.md');
  const news = await memory.queryMemory('where will Hollis live?', { docTypes: ['note'], nResults: 1 });
  say(`\n${formatForPrompt(news, { fence: false })}`);
  assert.match(news[0]?.text ?? '', /Cardiff/);
} finally {
  await project.close();
  await rm(folder, { recursive: true, force: true });
}
