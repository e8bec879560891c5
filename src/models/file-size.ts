import { stat } from 'node:fs/promises';
import { QuarryError } from '../core/errors.ts';

/** Most bytes of one file that can be loaded. */
const maxBytes = 2 ** 31 - 1;

/** Rejects with a remedy where a model file is too large to be loaded, before anything of it is read. */
export async function refuseTooLarge(path: string): Promise<void> {
  const { size } = await stat(path);
  if (size <= maxBytes) return;
  throw new QuarryError(
    'config-invalid',
    `The model file ${path} has ${(size / 2 ** 30).toFixed(1)} GiB; at most 2 GiB can be loaded.`,
    'Use weights of lower precision, such as int8, or a smaller model.',
  );
}
