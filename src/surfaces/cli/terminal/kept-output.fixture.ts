import type { Output } from './output.ts';

/** An output without colours that keeps what it is given: notes, results, and both in their order. */
export function keptOutput() {
  const notes: string[] = [];
  const results: string[] = [];
  const lines: string[] = [];
  const output: Output = {
    live: false,
    result(line) {
      results.push(line);
      lines.push(line);
    },
    note(line) {
      notes.push(line);
      lines.push(line);
    },
    status() {},
    link: (text) => text,
    style: (_, text) => text,
    styleNote: (_, text) => text,
  };
  return { output, notes, results, lines };
}
