import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { createEngine, type Engine } from '../../engine/engine.ts';
import { loadOperations } from '../../operations/catalogue.ts';
import { callTool } from './call-tool.ts';
import { createEngineHost } from './engine-host.ts';
import type { Host } from './host.ts';
import { readResource } from './resources.ts';
import { tools } from './tools.ts';

/** Calls by default; `FUZZ_CALLS=10000` for a long run. */
const calls = Number(process.env.FUZZ_CALLS ?? 300);
const secret = 'sesame-opens-the-mountain';

let engine: Engine;
let host: Host;
let folder: string;
let around: string;
beforeAll(async () => {
  around = await mkdtemp(join(tmpdir(), 'fuzz-'));
  await writeFile(join(around, 'outside.txt'), secret);
  const home = await temporaryFolder({});
  folder = await temporaryFolder({
    'quarry.toml': '[embedder]\ndriver = "hashing"\n',
    'src/a.js': 'export function one() {\n  return 1;\n}\n',
    'docs/b.md': '# B\n\nA text about boats.\n',
  });
  engine = createEngine({ environment: (name) => (name === 'HOME' ? home : undefined), watch: false });
  await engine.adopt(folder);
  const operations = await loadOperations();
  const grant = { name: 'fuzz', isOwner: false, allows: () => true };
  host = createEngineHost({ engine, operations, grant, log: () => undefined });
});
afterAll(() => engine.close());

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '../outside.txt',
    '..\\..\\outside.txt',
    '/etc/passwd',
    'C:\\Windows\\win.ini',
    '\\\\server\\share',
    'src/../../outside.txt',
    '%2e%2e/outside.txt',
    'file:///etc/passwd',
    'virtual:x',
    'src/a.js\0.md',
    '.quarry/index',
    '__proto__',
    'constructor',
    '(a+)+$',
    '{a,b,{c,d}}'.repeat(5),
    '9'.repeat(400),
  ),
);
const value = fc.oneof(
  { weight: 4, arbitrary: hostile },
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(hostile, { maxLength: 4 }),
  fc.object({ maxDepth: 2, maxKeys: 3 }),
);
const names = [
  'query',
  'path',
  'lines',
  'symbol',
  'chunk',
  'project',
  'top_k',
  'max_tokens',
  'route',
  'since',
  'paths',
];
const input = fc.oneof(
  { weight: 8, arbitrary: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 5 }) },
  { weight: 3, arbitrary: fc.record({ path: hostile }) },
  value,
);

test('hostile arguments never crash a tool, and nothing outside of the project is read or written', async () => {
  const before = await readdir(around);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...tools), input, hostile, async (tool, given, path) => {
      const signal = AbortSignal.timeout(60_000);
      const { content, isError, structuredContent } = await callTool(tool, given, host, { signal });
      const shown = JSON.stringify([content, structuredContent]);
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain('root:x:0');
      expect(shown).not.toContain(folder);
      expect(shown).not.toMatch(/\(internal\)|node_modules|\bat .*\.ts:/);
      if (isError) expect((content[0] as { text: string }).text).toMatch(/^[^<].*\([a-z-]+\)$/m);
      const uri = `quarry://${(await host.projects())[0]?.name}/${path}`;
      const read = await readResource(host, uri, signal).catch((thrown: { code?: string }) => {
        expect(thrown.code).toMatch(
          /^(usage-invalid|document-not-found|path-outside-root|project-not-found)$/,
        );
        return undefined;
      });
      if (read) expect(JSON.stringify(read)).not.toContain(secret);
    }),
    { numRuns: calls },
  );
  expect(await readdir(around)).toEqual(before);
  const own = (await readdir(folder)).toSorted();
  expect(own).toEqual(['.quarry', 'docs', 'quarry.toml', 'src']);
}, 900_000);

test('an error says what the caller did, without the folder of the project', async () => {
  const [project] = await host.projects();
  if (!project) throw new TypeError('No project.');
  const refused = host.call(project, 'init', {}, { signal: AbortSignal.timeout(60_000) });
  await expect(refused).rejects.toMatchObject({ message: `There is a ${project.id}/quarry.toml already.` });
});
