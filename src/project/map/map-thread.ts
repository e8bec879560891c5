import { serveCalls } from '../../platform/threads/serve-calls.ts';
import { layOut } from './layout.ts';
import { nearRows } from './near-rows.ts';
import { alongPrincipalAxes, type Rows } from './principal-axes.ts';

/** What a thread is asked: places in a plane for these vectors. */
export interface MapRequest extends Rows {
  /** Whether points are moved until neighbours lie together, which takes longer. */
  readonly fine: boolean;
}

/** Axes that neighbours are looked for along. */
const axes = 16;
const neighbours = 10;

serveCalls<MapRequest, Float32Array<ArrayBuffer>>(async ({ fine, ...rows }) => {
  const reduced = alongPrincipalAxes(rows, axes);
  const places = fine
    ? layOut(reduced, nearRows(reduced, neighbours), neighbours)
    : Float32Array.from(
        { length: reduced.count * 2 },
        (_, index) =>
          (index % 2 < reduced.width ? reduced.values[(index >> 1) * reduced.width + (index % 2)] : 0) ?? 0,
      );
  const value = new Float32Array(places);
  return { value, transfer: [value.buffer] };
});
