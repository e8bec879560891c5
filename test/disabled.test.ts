import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createEngine } from '../src/engine/engine.ts';
import { grantOfOwner } from '../src/engine/grants.ts';
import { openProject } from '../src/index.ts';
import { loadOperations } from '../src/operations/catalogue.ts';
import { resultOf } from '../src/platform/streams.ts';
import { callTool } from '../src/surfaces/mcp/call-tool.ts';
import { createEngineHost } from '../src/surfaces/mcp/engine-host.ts';
import { askTool } from '../src/surfaces/mcp/tools/ask.ts';
import { getContextTool } from '../src/surfaces/mcp/tools/get-context.ts';
import { searchTool } from '../src/surfaces/mcp/tools/search.ts';
import { statusTool } from '../src/surfaces/mcp/tools/status.ts';
import { temporaryFolder } from '../src/testing/temporary-folder.ts';
import { modulesLoadedBy } from './loaded-modules.ts';
import { callQuarry } from './quarry-call.ts';

const useProject = fileURLToPath(new URL('./use-disabled-project.ts', import.meta.url));

test.each(['enabled = false', '[rag]\nenabled = false'])(
  '%j: every call is a no-op and nothing is loaded',
  async (toml) => {
    const folder = await temporaryFolder({ 'quarry.toml': toml, 'a.md': '# A\n\ntext' });
    const modules = await modulesLoadedBy(useProject, folder);
    const loaded = (pattern: RegExp) => modules.filter((url) => pattern.test(url));
    expect(loaded(/\/src\/project\/open-project\.ts$/)).toHaveLength(1);
    const tables = /\/src\/(drivers\/manifest|indexing\/watching\/watch-timing)\.ts$/;
    // Settings and options are checked against two tables of names, which load nothing themselves.
    expect(loaded(/\/src\/(drivers|indexing|retrieval)\//).filter((url) => !tables.test(url))).toEqual([]);
    expect(loaded(/node:sqlite|onnxruntime|tree-sitter/)).toEqual([]);
    expect(existsSync(join(folder, '.quarry'))).toBe(false);
  },
);

test('asking a disabled project for its store says how to enable it', async () => {
  const project = await openProject(await temporaryFolder({ 'quarry.toml': 'enabled = false' }));
  await expect(project.store()).rejects.toMatchObject({
    code: 'project-disabled',
    remedy: 'Set enabled = true in quarry.toml.',
  });
});

test('every surface says that a project is disabled and how to enable it, and none that nothing was found', async () => {
  const folder = await temporaryFolder({ 'quarry.toml': 'enabled = false', 'a.md': '# A\n\nA text.' });
  const enable = 'Set enabled = true in quarry.toml.';
  const project = await openProject(folder);
  for (const { warnings } of [
    await project.search('text'),
    await project.context('text'),
    await resultOf(project.ask('Which text?')),
  ])
    expect(warnings).toMatchObject([{ code: 'project-disabled', remedy: enable }]);
  await expect(project.read({ path: 'a.md' })).rejects.toMatchObject({ remedy: enable });

  for (const words of [
    'search text',
    'context text',
    'ask text',
    'read a.md',
    'status',
    'overview',
    'index',
  ]) {
    const { stdout, stderr } = await callQuarry(folder, words.split(' '));
    expect([words, stdout + stderr]).toEqual([words, expect.stringMatching(/disabled.*enabled = true/is)]);
    expect(stdout + stderr).not.toMatch(/Nothing found|other words|never|\b0 (files|documents)|documents +0/);
  }
  const { stdout } = await callQuarry(folder, ['status', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    enabled: false,
    disabled: { code: 'project-disabled', remedy: enable },
  });

  const engine = createEngine({
    environment: (name) => (name === 'HOME' ? folder : undefined),
    watch: false,
  });
  const { id } = await engine.register('off', folder);
  const operations = await loadOperations();
  const host = createEngineHost({ engine, operations, grant: grantOfOwner('owner'), log: () => undefined });
  for (const [tool, input] of [
    [searchTool, { query: 'text' }],
    [getContextTool, { query: 'text' }],
    [askTool, { question: 'Which text?' }],
    [statusTool, {}],
  ] as const) {
    const { content } = await callTool(tool, { ...input, project: id }, host, {
      signal: AbortSignal.timeout(60_000),
    });
    expect(JSON.stringify(content)).toMatch(/enabled = false/);
    expect(JSON.stringify(content)).not.toMatch(/Nothing (relevant )?found|sync: never|0 files/);
  }
  await engine.close();
});
