// Requests a second of HTTP libraries over loopback, as a ratio to bare node:http in the same run; what each brings with it.
// The libraries are installed into a temporary folder and are no dependencies of the project.
// Usage: npx node bench/service/http-libraries.ts [--seconds N] [--rounds N] [--folder INSTALLED]
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../../src/core/median.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    folder: { type: 'string' },
  },
});

/** Packages of each library, and a server that answers GET with JSON and POST with a field of its JSON body. */
const libraries: Readonly<
  Record<string, { readonly packages: readonly string[]; readonly program: string }>
> = {
  'node:http': {
    packages: [],
    program: `
import { createServer } from 'node:http';
const server = createServer(async (incoming, outgoing) => {
  const send = (data) => {
    const text = JSON.stringify(data);
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    outgoing.end(text);
  };
  if (incoming.method === 'GET' && incoming.url === '/health') return send({ status: 'ok' });
  let text = '';
  for await (const part of incoming) text += part;
  send({ query: JSON.parse(text).query });
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));`,
  },
  hono: {
    packages: ['hono@4.13.17', '@hono/node-server@2.1.6'],
    program: `
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
const app = new Hono();
app.get('/health', (c) => c.json({ status: 'ok' }));
app.post('/search', async (c) => c.json({ query: (await c.req.json()).query }));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send(port));`,
  },
  h3: {
    packages: ['h3@1.15.4'],
    program: `
import { createServer } from 'node:http';
import { createApp, createRouter, defineEventHandler, readBody, toNodeListener } from 'h3';
const router = createRouter()
  .get('/health', defineEventHandler(() => ({ status: 'ok' })))
  .post('/search', defineEventHandler(async (event) => ({ query: (await readBody(event)).query })));
const server = createServer(toNodeListener(createApp().use(router)));
server.listen(0, '127.0.0.1', () => process.send(server.address().port));`,
  },
  fastify: {
    packages: ['fastify@5.6.1'],
    program: `
import fastify from 'fastify';
const app = fastify();
app.get('/health', async () => ({ status: 'ok' }));
app.post('/search', async (request) => ({ query: request.body.query }));
await app.listen({ port: 0, host: '127.0.0.1' });
process.send(app.server.address().port);`,
  },
};

const folder = values.folder ?? install();
const counted = new Map<string, { get: number[]; post: number[] }>();
for (let round = 0; round < Number(values.rounds); round += 1) {
  // In turns, so that what else the machine does falls on all of them.
  for (const name of Object.keys(libraries)) {
    const server = fork(join(folder, `${fileName(name)}.mjs`), { cwd: folder });
    const [port] = (await once(server, 'message')) as [number];
    const rates = counted.get(name) ?? { get: [], post: [] };
    counted.set(name, rates);
    await measure(port, 'GET', 0.3);
    rates.get.push(await measure(port, 'GET', Number(values.seconds)));
    rates.post.push(await measure(port, 'POST', Number(values.seconds)));
    await end(server);
  }
}
const bare = counted.get('node:http');
console.log('| library | GET | POST | packages | MB |\n|---|---|---|---|---|');
for (const [name, { get, post }] of counted) {
  const ratio = (kind: 'get' | 'post', own: readonly number[]): string =>
    (median(own) / median(bare?.[kind] ?? [])).toFixed(2);
  const { packages, bytes } = brought(name);
  console.log(
    `| ${name} | ${ratio('get', get)} | ${ratio('post', post)} | ${packages} | ${(bytes / 1e6).toFixed(1)} |`,
  );
}
const absolute = bare ? `${Math.round(median(bare.get))} and ${Math.round(median(bare.post))}` : '';
console.log(`node:http itself: ${absolute} requests a second, 16 connections`);

/** Requests a second over 16 connections that are kept. */
async function measure(port: number, method: 'GET' | 'POST', seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const body = method === 'POST' ? JSON.stringify({ query: 'where is the retry policy', top_k: 5 }) : '';
  const until = performance.now() + seconds * 1000;
  let answered = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      await new Promise<void>((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
        const path = method === 'GET' ? '/health' : '/search';
        const outgoing = request({ port, method, path, agent, ...(body && { headers }) }, (incoming) => {
          incoming.resume();
          incoming.on('end', () => resolve());
        });
        outgoing.on('error', reject);
        outgoing.end(body);
      });
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  agent.destroy();
  return answered / seconds;
}

function install(): string {
  const made = mkdtempSync(join(tmpdir(), 'http-libraries-'));
  for (const [name, { packages, program }] of Object.entries(libraries)) {
    const own = join(made, `of-${fileName(name)}`);
    if (packages.length > 0)
      execFileSync('npm', ['install', '--silent', '--ignore-scripts', '--prefix', own, ...packages], {
        stdio: 'inherit',
      });
    writeFileSync(join(made, `${fileName(name)}.mjs`), `import './of-${fileName(name)}/server.mjs';\n`);
    if (packages.length > 0) writeFileSync(join(own, 'server.mjs'), program);
    else writeFileSync(join(made, `${fileName(name)}.mjs`), program);
  }
  return made;
}

/** How many packages a library installs, and how large they are. */
function brought(name: string): { packages: number; bytes: number } {
  const modules = join(folder, `of-${fileName(name)}`, 'node_modules');
  if (!existsSync(modules)) return { packages: 0, bytes: 0 };
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true });
  const manifests = entries.filter(
    (entry) => entry.name === 'package.json' && /node_modules\/(@[^/]+\/)?[^/]+$/.test(entry.parentPath),
  );
  const files = entries.filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return { packages: manifests.length, bytes };
}

function fileName(name: string): string {
  return name.replace(':', '-');
}

async function end(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit');
  server.kill();
  await ended;
}
