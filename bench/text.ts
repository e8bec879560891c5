// What indexing the text of 800 files costs in seconds of CPU, part by part, beside the parser alone on the same files in
// the same run. A digest of all that is read (chunks, ids, code graph) shows whether two versions read the same.
//   npx node bench/text.ts [--files 800] [--rounds 3] [--folder node_modules]
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from '../src/drivers/chunkers/code/grammars.ts';
import { languageOf } from '../src/drivers/chunkers/code/languages.ts';
import { putDocument } from '../src/index/write.ts';
import { openProject } from '../src/index.ts';
import { type ReadDocument, readDocument } from '../src/indexing/read-document.ts';
import { bundledTokenizer } from '../src/models/tokenizers/bundled.ts';
import { readingParts } from '../src/reading/reading.ts';
import { redactSecrets } from '../src/secrets/redact-secrets.ts';
import { settingsSchema } from '../src/settings/settings.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { megabytesOf, sourceTexts } from './source-files.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '800' },
    rounds: { type: 'string', default: '3' },
    folder: { type: 'string', default: fileURLToPath(new URL('../node_modules', import.meta.url)) },
  },
});

const all = sourceTexts(values.folder, Number.POSITIVE_INFINITY);
const step = all.length / Number(values.files);
const files = Array.from({ length: Number(values.files) }, (_, at) => all[Math.floor(at * step)]).filter(
  (file) => file !== undefined,
);
const tokenizer = bundledTokenizer();
const parts = readingParts(settingsSchema.parse({}), (text) => tokenizer.encode(text).length);
const project = await openProject(await temporaryFolder());
const empty = await project.store();
const rows: [part: string, seconds: number[]][] = [];
let read: ReadDocument[] = [];

console.log(`${files.length} files, ${megabytesOf(files).toFixed(1)} MB`);
for (let round = 0; round < Number(values.rounds); round += 1) {
  await measured('the parser alone', async () => {
    for (const { uri, text } of files) {
      const language = languageOf(uri);
      if (language === undefined) continue;
      await parse(text, language, 5_000);
    }
  });
  await measured('tokens alone', () => files.map(({ text }) => tokenizer.encode(text).length));
  await measured('secrets alone', () => files.map(({ text }) => redactSecrets(text).found));
  await measured('reading, cutting and the graph, in one thread', async () => {
    read = [];
    for (const { uri, bytes } of files) {
      const file = { uri, size: bytes.length, modifiedAt: 1 };
      read.push(await readDocument({ file, bytes: bytes.slice(), revision: '' }, parts));
    }
  });
  await measured('committing to SQLite', async () => {
    const puts = read.flatMap((found) => {
      if (found.kind === 'skipped') return [];
      const document = { ...found.document, revision: String(round) };
      const entry = { uri: document.uri, size: 1, modifiedAt: 1, contentHash: '', recipe: '' };
      return putDocument(empty, {
        document: { ...document, id: `${round}/${document.id}`, uri: `${round}/${document.uri}` },
        chunks: found.chunks.map((each) => ({
          ...each,
          chunk: {
            ...each.chunk,
            id: `${round}/${each.chunk.id}`,
            documentId: `${round}/${document.id}`,
          },
        })),
        manifest: {
          ...entry,
          uri: `${round}/${document.uri}`,
          status: 'indexed',
          chunks: found.chunks.length,
        },
      });
    });
    await Promise.all(puts);
  });
  const texts = Object.fromEntries(
    files.map(({ uri, text }) => [uri.replaceAll('node_modules', 'nested'), text]),
  );
  const folder = await temporaryFolder(texts);
  await measured('all of it: a folder whose text is indexed', async () => {
    const fresh = await openProject(folder);
    for await (const _ of fresh.index({ giveWay: AbortSignal.abort() }));
    await fresh.close();
  });
}
await project.close();

console.log('| part | s of CPU, each round | least |\n|---|---|---|');
for (const [part, seconds] of rows)
  console.log(
    `| ${part} | ${seconds.map((one) => one.toFixed(2)).join(', ')} | ${Math.min(...seconds).toFixed(2)} |`,
  );
const digest = createHash('sha256');
for (const found of read) digest.update(JSON.stringify(found));
console.log(`read: ${digest.digest('hex')}`);

async function measured(part: string, work: () => unknown): Promise<void> {
  const before = process.cpuUsage();
  const clock = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  console.log(
    `  ${part}: ${((user + system) / 1e6).toFixed(2)} s of CPU, ${((performance.now() - clock) / 1e3).toFixed(2)} s`,
  );
  const known = rows.find(([name]) => name === part) ?? rows[rows.push([part, []]) - 1];
  known?.[1].push((user + system) / 1e6);
}
