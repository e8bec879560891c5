import { z } from 'zod';
import { QuarryError } from '../../core/errors.ts';
import { type Metric, metricNames, metrics, type Scores } from './metrics.ts';

/** The least value that a metric must reach. */
export interface Floor {
  readonly metric: Metric;
  readonly floor: number;
}

/** A floor with what was measured, as JSON carries it. */
export const checkedFloorSchema = z.object({
  metric: z.enum(metrics),
  floor: z.number().min(0).max(1),
  run: z.string().describe('The run that was measured.'),
  value: z.number().min(0).max(1).describe('Over several sets the mean of the sets.'),
  reached: z.boolean().describe('Whether the value, as the table shows it, is no less than the floor.'),
});

/** A floor with what was measured. */
export type CheckedFloor = z.output<typeof checkedFloorSchema>;

/** Digits with which scores are shown; a floor that was copied from a table must be reached. */
const shownDigits = 3;
const example = '--floor ndcg@10=0.7';

/** Reads floors as they are given, such as `ndcg@10=0.7`; a metric is named as tables or as JSON name it. */
export function parseFloors(given: readonly string[]): Floor[] {
  const floors = new Map<Metric, Floor>();
  for (const text of given) {
    const floor = parseFloor(text);
    const previous = floors.get(floor.metric);
    if (previous)
      throw new QuarryError(
        'usage-invalid',
        `--floor names ${metricNames[floor.metric]} twice (${previous.floor} and ${floor.floor}).`,
        'Give each metric one floor.',
      );
    floors.set(floor.metric, floor);
  }
  return [...floors.values()];
}

function parseFloor(text: string): Floor {
  const at = text.indexOf('=');
  if (at < 0)
    throw new QuarryError('usage-invalid', `--floor ${text} has no "=".`, `Write it as ${example}.`);
  const name = text.slice(0, at).trim();
  const metric = metrics.find((known) => known === name.toLowerCase().replace('@', '_'));
  if (!metric)
    throw new QuarryError(
      'usage-invalid',
      `--floor ${text}: there is no metric "${name}".`,
      `Use one of: ${Object.values(metricNames).join(', ')}.`,
    );
  const written = text.slice(at + 1).trim();
  const floor = /^\d*\.?\d+$/.test(written) ? Number(written) : Number.NaN;
  if (!(floor <= 1))
    throw new QuarryError(
      'usage-invalid',
      `--floor ${text}: "${written}" is not a number from 0 to 1.`,
      `Write a share, so that 0.7 is 70 %: ${example}.`,
    );
  return { metric, floor };
}

/** Compares what a run reached with the floors, in their order. */
export function checkFloors(
  floors: readonly Floor[],
  { run, scores }: { readonly run: string; readonly scores: Scores },
): CheckedFloor[] {
  return floors.map(({ metric, floor }) => {
    const value = scores[metric];
    // A floor that was copied from a table is reached, and so is one with all digits.
    const reached = value >= floor || Number(value.toFixed(shownDigits)) >= floor;
    return { metric, floor, run, value, reached };
  });
}

/** Whether a floor was reached, for a person. */
export function floorSentence({ metric, floor, run, value, reached }: CheckedFloor): string {
  const verdict = reached ? 'reaches' : 'is below';
  const digits = Math.max(shownDigits, String(floor).length - 2);
  return `${metricNames[metric]} of ${run} ${verdict} the floor: ${value.toFixed(digits)}, asked for ${floor}.`;
}
