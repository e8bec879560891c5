// The bridge to other MCP servers, tried with real ones: each is started by a project's settings, once trusted, and has to
// answer beside the index. One that is missing and one that refuses must cost only their answers.
// Usage: npx node bench/mcp/bridge.ts SERVERS
//   SERVERS  a folder where @modelcontextprotocol/server-filesystem, @modelcontextprotocol/server-memory, mcp-ripgrep and
//            @tobilu/qmd are installed
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stringify } from 'smol-toml';
import { trustGiveOperation } from '../../src/operations/setup/trust.ts';
import { resultOf } from '../../src/platform/streams.ts';
import { openProject } from '../../src/project/open-project.ts';

const modules = join(resolve(process.argv[2] ?? ''), 'node_modules');
const place = await mkdtemp(join(tmpdir(), 'bench-bridge-'));
const environment = (name: string) => (name === 'HOME' ? place : undefined);
const notes = join(place, 'notes');
const memory = join(place, 'memory.json');
const quoted = (...words: string[]) => words.map((word) => JSON.stringify(word)).join(' ');
const node = (path: string, ...words: string[]) => quoted(process.execPath, join(modules, path), ...words);

/** A server, how it is asked, and a name that has to be among its answers. */
interface Case {
  readonly name: string;
  readonly mcp: Readonly<Record<string, unknown>>;
  readonly expects: { readonly hit: string } | { readonly warning: string };
}

const cases: readonly Case[] = [
  {
    name: 'server-memory, found by the names of its tools and fields',
    mcp: {
      server:
        quoted('env', `MEMORY_FILE_PATH=${memory}`) +
        ' ' +
        node('@modelcontextprotocol/server-memory/dist/index.js'),
    },
    expects: { hit: 'heronry' },
  },
  {
    name: 'server-filesystem, with a template of arguments',
    mcp: {
      server: node('@modelcontextprotocol/server-filesystem/dist/index.js', notes),
      tool: 'search_files',
      arguments: { path: notes, pattern: '**/*{query}*' },
    },
    expects: { hit: 'answer' },
  },
  {
    name: 'mcp-ripgrep, whose answer is plain text',
    mcp: {
      server: quoted(join(modules, '.bin/mcp-ripgrep')),
      tool: 'search',
      arguments: { pattern: '{query}', path: notes, caseSensitive: false },
    },
    expects: { hit: 'answer' },
  },
  {
    name: 'qmd, with a nested template',
    mcp: {
      server: `${quoted('env', `HOME=${place}`, join(modules, '.bin/qmd'))} mcp`,
      tool: 'query',
      arguments: { searches: [{ type: 'lex', query: '{query}' }], limit: '{limit}', rerank: false },
    },
    expects: { hit: 'notes/heron.md' },
  },
  {
    name: 'a tool that the server does not have',
    mcp: { server: node('@modelcontextprotocol/server-memory/dist/index.js'), tool: 'dance' },
    expects: { warning: 'config-invalid' },
  },
  {
    name: 'a path that the server refuses',
    mcp: {
      server: node('@modelcontextprotocol/server-filesystem/dist/index.js', notes),
      tool: 'search_files',
      arguments: { path: '/', pattern: '{query}' },
    },
    expects: { warning: 'provider-refused' },
  },
  {
    name: 'a server that is not installed',
    mcp: { server: quoted(join(modules, '.bin/absent-server')) },
    expects: { warning: 'provider-unreachable' },
  },
];

async function tryCase({ name, mcp, expects }: Case, folder: string): Promise<boolean> {
  const settings = { index: { exclude: ['quarry.toml'] }, embedder: { driver: 'hashing' } };
  await mkdir(folder);
  await writeFile(join(folder, 'own.md'), '# Own\n\nThe heron of this project.\n');
  await writeFile(join(folder, 'quarry.toml'), stringify({ ...settings, store: { driver: 'mcp', mcp } }));
  const project = await openProject(folder, { environment });
  try {
    await resultOf(trustGiveOperation.run(project, {}, {}));
    const { hits, warnings } = await project.search('heron');
    const uris = hits.map(({ document }) => document.uri);
    const isRight =
      'hit' in expects
        ? warnings.length === 0 && uris.some((uri) => uri.startsWith('mcp:') && uri.endsWith(expects.hit))
        : warnings.some(({ code }) => code === expects.warning);
    const said = [...uris, ...warnings.map(({ code, message }) => `${code}: ${message}`)].join('; ');
    process.stdout.write(`${isRight ? 'right' : 'WRONG'} | ${name} | ${said}\n`);
    return isRight && uris[0] === 'own.md';
  } finally {
    await project.close();
  }
}

try {
  await mkdir(notes);
  await writeFile(join(notes, 'heron.md'), '# Herons\n\nA heron stands still.\n');
  const entity = {
    type: 'entity',
    name: 'heronry',
    entityType: 'place',
    observations: ['Where a heron nests.'],
  };
  await writeFile(memory, `${JSON.stringify(entity)}\n`);
  const words = ['collection', 'add', notes, '--name', 'notes', '--mask', '**/*.md'];
  execFileSync(join(modules, '.bin/qmd'), words, { env: { ...process.env, HOME: place }, stdio: 'ignore' });
  let right = 0;
  for (const [at, each] of cases.entries()) if (await tryCase(each, join(place, `project-${at}`))) right += 1;
  process.stdout.write(`${right} of ${cases.length} right\n`);
  if (right < cases.length) process.exitCode = 1;
} finally {
  await rm(place, { recursive: true, force: true, maxRetries: 5 });
}
