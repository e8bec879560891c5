import { expect, test } from 'vitest';
import { createEngine } from '../src/engine/engine.ts';
import { grantOfOwner } from '../src/engine/grants.ts';
import { loadOperations } from '../src/operations/catalogue.ts';
import { callTool } from '../src/surfaces/mcp/call-tool.ts';
import { createEngineHost } from '../src/surfaces/mcp/engine-host.ts';
import { searchTool } from '../src/surfaces/mcp/tools/search.ts';
import { callQuarry } from './quarry-call.ts';
import { temporaryFolder } from './temporary-folder.ts';

const question = 'where is the saffron kept?';

/** A folder of which the first question reads a part. */
function aFolder(): Promise<string> {
  const notes = Array.from({ length: 150 }, (_, at) => [
    `notes/${at}.md`,
    `# Note ${at}\n\nAbout day ${at}.\n`,
  ]);
  return temporaryFolder({
    ...Object.fromEntries(notes),
    'kitchen.md': '# Kitchen\n\nSaffron is kept in a dark jar beside the vinegar.\n',
    'quarry.toml': '[embedder]\ndriver = "hashing"\n',
  });
}

test('a command says that it answers from a first look, and not once all is read', async () => {
  const folder = await aFolder();
  const first = await callQuarry(folder, ['search', question]);
  expect(first.stdout).toContain('dark jar');
  expect(first.stderr).toContain('first look');
  expect((await callQuarry(folder, ['search', question])).stderr).not.toContain('first look');
});

test('as data it has how much was looked at and read', async () => {
  const { stdout } = await callQuarry(await aFolder(), ['search', question, '--json']);
  const { first_look: look, warnings, hits } = JSON.parse(stdout);
  expect(hits[0].path).toBe('kitchen.md');
  expect(look).toMatchObject({ files: 152, looked_at: 152, is_complete: true });
  expect(look.read).toBeLessThan(60);
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'index-stale' }));
});

test('an agent gets a note', async () => {
  const folder = await aFolder();
  const engine = createEngine({
    environment: (name) => (name === 'HOME' ? folder : undefined),
    watch: false,
  });
  const { id } = await engine.register('kitchen', folder);
  const operations = await loadOperations();
  const host = createEngineHost({ engine, operations, grant: grantOfOwner('owner'), log: () => undefined });
  const signal = AbortSignal.timeout(60_000);
  const { content } = await callTool(searchTool, { query: question, project: id }, host, { signal });
  expect(JSON.stringify(content)).toMatch(/Note: The index is not complete yet|first look/);
  await engine.close();
});
