import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { transcriptAgents } from './agents.ts';
import { readHead, readSession } from './read-session.ts';
import { codexSession } from './sessions.fixture.ts';

test('a packed session that is longer than its head says where it began, and is read to its end', async () => {
  const codex = transcriptAgents.find(({ name }) => name === 'codex');
  if (!codex) throw new Error('no Codex');
  const filler = `${JSON.stringify({ type: 'compacted', payload: { message: 'x'.repeat(2 ** 20) } })}\n`;
  const session = codexSession('/code/api');
  const path = join(await temporaryFolder(), 'rollout.jsonl.zst');
  const [head = '', ...rest] = session.trimEnd().split('\n');
  await writeFile(path, zstdCompressSync(`${head}\n${filler.repeat(11)}${rest.join('\n')}\n`));
  expect((await readHead(path, codex)).facts).toMatchObject({ folder: '/code/api' });
  const cache = { read: () => undefined, write: async () => {} };
  const read = await readSession(path, { agent: codex, cache: cache as never, redact: (text) => text });
  expect(read.turns.map(({ prompt }) => prompt)).toEqual(['Make the parser accept trailing commas.']);
});
