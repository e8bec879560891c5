// Tokens that a model reads until a passage of the right file is in its context: Quarry over MCP, an agent that greps and
// reads, and other servers. Every way continues until it has found the file, has nothing more to show, or has spent the budget.
// Usage: npx node bench/mcp/tokens.ts SET [--limit N] [--servers FOLDER] [--cache FOLDER] [--out FILE]
//   SET        a folder with questions about npm packages, or training/questions for its held-out npm packages
//   --servers  a folder where @modelcontextprotocol/server-filesystem, mcp-ripgrep and @tobilu/qmd are installed
//   --cache    the cache of vectors to use, so that a second run embeds nothing
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stopResident } from '../../src/client/stop-resident.ts';
import { bundledTokenizer } from '../../src/models/tokenizers/bundled.ts';
import { readSet } from '../collections/read-set.ts';
import { grepWay } from './grep-ways.ts';
import { heldOutQuestions } from './held-out.ts';
import { filesystemWay, qmdWay, ripgrepWay } from './other-servers.ts';
import { quarryWay } from './quarry-way.ts';
import { type Cost, tableOf } from './report.ts';
import type { Way } from './way.ts';

/** Tokens after which a way has failed. */
const budget = 32_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: 'string' },
    servers: { type: 'string' },
    cache: { type: 'string' },
    out: { type: 'string' },
  },
});
const home = await mkdtemp(join(tmpdir(), 'bench-mcp-'));
const env = {
  HOME: home,
  PATH: process.env.PATH ?? '',
  // A busy machine must not cost a file.
  QUARRY_INDEX_FILE_SECONDS: '600',
  ...(values.cache && { QUARRY_CACHE_FOLDER: resolve(values.cache) }),
};
const tokenizer = bundledTokenizer();
const tokensOf = (text: string): number => tokenizer.encode(text).length;

async function costOf(way: Way, question: string, isMeant: (path: string) => boolean): Promise<Cost> {
  let tokens = 0;
  let calls = 0;
  for await (const { text, files } of way.look(question)) {
    calls += 1;
    tokens += tokensOf(text);
    if (tokens > budget) break;
    if (files.some(isMeant)) return { tokens, calls, isFound: true };
  }
  return { tokens: Math.min(tokens, budget), calls, isFound: false };
}

async function waysIn(folder: string): Promise<Way[]> {
  const ways = [
    await quarryWay(folder, env, 'usual'),
    await quarryWay(folder, env, 'generous'),
    grepWay(folder, 'files'),
    grepWay(folder, 'windows'),
  ];
  if (!values.servers) return ways;
  const place = { servers: resolve(values.servers), env };
  for (const start of [filesystemWay, ripgrepWay, qmdWay]) ways.push(await start(folder, place));
  return ways;
}

const given = positionals[0] ?? '';
const set = await readSet(
  existsSync(join(given, 'sources.tsv')) ? await heldOutQuestions(given, join(home, 'held-out-npm')) : given,
  { cacheFolder: join(home, 'work'), ...(values.limit && { limit: Number(values.limit) }) },
);
const costs = new Map<string, Cost[]>();
const introductions = new Map<string, number>();
try {
  for (const part of set.parts) {
    const opened = await part.open({ 'embedder.driver': 'hashing' });
    const { folder } = opened.project;
    await opened.close();
    const ways = await waysIn(folder);
    for (const { text, labels } of part.questions) {
      const isMeant = (path: string): boolean => labels.some((label) => opened.isMeant(label.path, path));
      for (const way of ways) {
        const own = costs.get(way.name) ?? [];
        costs.set(way.name, own);
        own.push(await costOf(way, text, isMeant));
        introductions.set(way.name, tokensOf(way.introduction));
      }
    }
    for (const way of ways) await way.close();
    process.stderr.write(`${folder}: ${part.questions.length} questions\n`);
    if (values.out) await writeFile(values.out, JSON.stringify(Object.fromEntries(costs)));
  }
} finally {
  await stopResident((name) => env[name as keyof typeof env]);
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
}
process.stdout.write(tableOf(costs, introductions, budget));
