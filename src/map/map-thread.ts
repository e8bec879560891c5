import { serveCalls } from '../platform/threads/serve-calls.ts';
import { layOut } from './layout.ts';
import { nearRows } from './near-rows.ts';
import { alongPrincipalAxes, type Rows } from './principal-axes.ts';

/** What a thread is asked: vectors along their principal axes, or, of those, places where neighbours lie together. */
export interface MapRequest extends Rows {
  readonly wanted: 'axes' | 'layout';
}

/** Axes that neighbours are looked for along. */
const axes = 16;
const neighbours = 10;

serveCalls<MapRequest, Float32Array<ArrayBuffer>>(async ({ wanted, ...rows }) => {
  const value = wanted === 'axes' ? alongPrincipalAxes(rows, axes).values : laidOut(rows);
  return { value, transfer: [value.buffer] };
});

function laidOut(rows: Rows): Float32Array<ArrayBuffer> {
  return layOut(rows, nearRows(rows, neighbours), neighbours);
}
