import { QuarryError } from '../../core/errors.ts';

/** Throws where a collection or table of this name has a layout of a later Quarry, or none of Quarry's. */
export function checkLayout(name: string, version: number, known: number): void {
  if (version === known) return;
  throw version > known
    ? new QuarryError(
        'store-too-new',
        `The index ${name} has layout ${version}; this Quarry knows layouts up to ${known}.`,
        'Update Quarry, or set store.collection to another name and run: quarry index',
      )
    : new QuarryError(
        'store-unusable',
        `The table ${name} is not an index of Quarry.`,
        'Set store.collection to another name, then run: quarry index',
      );
}
