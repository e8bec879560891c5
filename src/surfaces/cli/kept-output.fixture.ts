import type { Output } from './output.ts';

/** An output without colours that keeps what it is given. */
export function keptOutput() {
  const notes: string[] = [];
  const results: string[] = [];
  const output: Output = {
    live: false,
    result: (line) => results.push(line),
    note: (line) => notes.push(line),
    status() {},
    style: (_, text) => text,
    styleNote: (_, text) => text,
  };
  return { output, notes, results };
}
