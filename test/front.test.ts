import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { modulesLoadedBy } from './loaded-modules.ts';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const program = pathOf('../src/surfaces/cli/main.ts');
const front = pathOf('./use-front.ts');

/** The own modules that were loaded, by their path below `src`. */
async function loadedBy(file: string, ...words: string[]): Promise<string[]> {
  const modules = await modulesLoadedBy(file, ...words);
  return modules
    .flatMap((url) => url.split('/src/')[1] ?? [])
    .filter((path) => !path.startsWith('node_modules'));
}

const engine = /^(drivers|embedding|indexing|map|migration|models|project|push|retrieval)\//;

describe('the front of the command line', () => {
  test('needs no operation to print the version', async () => {
    const loaded = await loadedBy(program, '--version');
    expect(loaded).toContain('surfaces/cli/main.ts');
    expect(loaded.filter((path) => /^(core|operations)\//.test(path) || engine.test(path))).toEqual([]);
    expect(loaded).not.toContain('surfaces/cli/command-line.ts');
  });

  test.each([[['--help']], [['search', '--help']], [['help', 'eval']], [['serch']]])(
    '%j loads nothing of the engine, and nothing that shows results',
    async (words) => {
      const loaded = await loadedBy(front, ...words);
      expect(loaded).toContain('surfaces/cli/command-line.ts');
      expect(loaded.filter((path) => engine.test(path) || path.startsWith('surfaces/cli/render/'))).toEqual(
        [],
      );
    },
  );

  test('loads only the operations that a command has: its own, and those that a flag of it asks for', async () => {
    const loaded = await loadedBy(program, 'status', '--help');
    expect(loaded.filter((path) => path.startsWith('operations/')).sort()).toEqual([
      'operations/catalogue.ts',
      'operations/find/context-source.ts',
      'operations/find/filter-input.ts',
      'operations/find/whereabouts.ts',
      'operations/index/corpus.ts',
      'operations/index/disabled.ts',
      'operations/index/manifest.ts',
      'operations/index/retired.ts',
      'operations/index/status.ts',
      'operations/index/summary.ts',
      'operations/index/topics.ts',
      'operations/index/untrusted.ts',
      'operations/operation.ts',
      'operations/permission.ts',
      'operations/setup/trust.ts',
    ]);
  });

  test('parses and renders every operation without the engine', async () => {
    const loaded = await loadedBy(front);
    expect(loaded).toContain('operations/find/search.ts');
    expect(loaded).toContain('surfaces/cli/render/search.ts');
    expect(loaded.filter((path) => engine.test(path))).toEqual([]);
  });

  test('has an engine do a command without schemas, and without what only a server needs', async () => {
    const files = [
      'command-line',
      'run/run-through-resident',
      'render/search',
      'terminal/progress',
      'terminal/last-hits',
    ];
    const loaded = await Promise.all(
      [...files.map((file) => `surfaces/cli/${file}`), 'client/resident'].map((file) =>
        modulesLoadedBy(pathOf(`../src/${file}.ts`)),
      ),
    );
    expect(loaded.flat().join('\n')).toContain('core/errors.ts');
    const heavy = /\/zod\/|^node:(http|https|child_process|worker_threads|sqlite)$/;
    expect(loaded.flat().filter((url) => heavy.test(url))).toEqual([]);
  });
});
