import { QuarryError } from '../../../../core/errors.ts';

/** Rows that are looked at before other work gets its turn. */
export const rowsPerStep = 256;

/** The next number of a walk by rising numbers; throws where a damaged table would lead it in a circle. */
export function rising(last: number, next: unknown): number {
  const number = Number(next);
  if (number > last) return number;
  throw new QuarryError('store-corrupt', `Row ${number} stands behind row ${last}.`, 'Run: quarry repair');
}
