import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { type RAGConfig, RAGEngine } from './rag-engine.ts';

const files = {
  'clutch.py': 'def execution_clutch():\n    """Stops the agent before a dangerous step."""\n',
  'guide/tea.md': '# Tea\n\nGreen tea is steeped for two minutes.\n',
};

const engines: RAGEngine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

async function engine(config: RAGConfig = {}): Promise<RAGEngine> {
  const opened = new RAGEngine({ embedding_provider: 'hashing', ...config }, await temporaryFolder(files));
  engines.push(opened);
  return opened;
}

describe('RAGEngine', () => {
  test('is empty until a file is indexed, and then finds its fragments', async () => {
    const rag = await engine();
    expect(await rag.isEmpty()).toBe(true);
    expect(await rag.search('execution clutch')).toEqual([]);
    await rag.indexFile('clutch.py');
    expect(await rag.isEmpty()).toBe(false);
    expect(await rag.getAllIndexedPaths()).toContain('clutch.py');
    const [first] = await rag.search('How does the execution clutch work?');
    expect(first).toMatchObject({
      text: expect.stringContaining('def execution_clutch'),
      metadata: { path: 'clutch.py', chunk_index: 0 },
    });
    expect(first?.distance).toBeGreaterThanOrEqual(0);
    expect(first?.distance).toBeLessThanOrEqual(1);
  });

  test('cuts by characters with overlap, as the table says', async () => {
    const rag = await engine({ chunk_size: 30, chunk_overlap: 10 });
    await rag.indexFile('clutch.py');
    const found = await rag.search('execution clutch agent step', 10);
    expect(found.length).toBeGreaterThan(2);
    expect(Math.max(...found.map(({ text }) => text.length))).toBeLessThanOrEqual(30);
  });

  test('takes a path from the current folder where its own has none, and none outside of it', async () => {
    const rag = await engine();
    const previous = process.cwd();
    try {
      process.chdir(join(rag.baseDir, 'guide'));
      await rag.indexFile('tea.md');
    } finally {
      process.chdir(previous);
    }
    expect(await rag.getAllIndexedPaths()).toContain('guide/tea.md');
    await expect(rag.indexFile('/etc/hostname')).rejects.toMatchObject({ code: 'path-outside-root' });
  });

  test('adds, replaces and deletes documents by id and by path', async () => {
    const rag = await engine();
    await rag.addDocuments(
      ['one', 'two', 'three'],
      ['apple pie', 'banana bread', 'cherry cake'],
      [{ path: 'recipes.txt' }, { path: 'recipes.txt' }, { path: 'cakes.txt' }],
    );
    expect(await rag.getAllIndexedPaths()).toEqual(['cakes.txt', 'recipes.txt']);
    await rag.addDocuments(['three'], ['chocolate cake'], [{ path: 'cakes.txt' }]);
    expect((await rag.search('chocolate'))[0]).toMatchObject({
      text: 'chocolate cake',
      metadata: { path: 'cakes.txt' },
    });
    await rag.deleteDocumentsByPath('recipes.txt');
    expect(await rag.getAllIndexedPaths()).toEqual(['cakes.txt']);
    await rag.deleteDocuments(['three']);
    expect(await rag.isEmpty()).toBe(true);
  });

  test('deletes a file from the index without touching it', async () => {
    const rag = await engine();
    await rag.indexFile('clutch.py');
    await rag.deleteDocumentsByPath('clutch.py');
    expect(await rag.getAllIndexedPaths()).toEqual(['guide/tea.md']);
    expect(existsSync(join(rag.baseDir, 'clutch.py'))).toBe(true);
  });

  test('injects the block of the design, and nothing where nothing is indexed', async () => {
    const rag = await engine();
    expect(await rag.inject('prompt', 'green tea')).toBe('prompt');
    await rag.indexFile('guide/tea.md');
    const injected = await rag.inject('prompt', 'how long is green tea steeped?', { fence: false });
    expect(injected).toBe(
      '[RETRIEVED CONTEXT]\nFile: guide/tea.md (chunk 0)\n# Tea\n\nGreen tea is steeped for two minutes.\n\nprompt',
    );
  });

  test('does nothing at all when it is disabled', async () => {
    const rag = await engine({ enabled: false });
    await rag.indexFile('clutch.py');
    await rag.addDocuments(['one'], ['apple']);
    await rag.deleteDocuments(['one']);
    await rag.deleteDocumentsByPath('clutch.py');
    expect(await rag.search('clutch')).toEqual([]);
    expect(await rag.getAllIndexedPaths()).toEqual([]);
    expect(await rag.isEmpty()).toBe(true);
    expect(await rag.inject('prompt', 'clutch')).toBe('prompt');
    expect(existsSync(join(rag.baseDir, '.quarry'))).toBe(false);
  });

  test('refuses ids without texts', async () => {
    await expect((await engine()).addDocuments(['one'], [])).rejects.toMatchObject({ code: 'usage-invalid' });
  });
});
