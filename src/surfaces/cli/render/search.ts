import type { z } from 'zod';
import type { SearchHit, searchOperation } from '../../../operations/search.ts';
import { harmless, harmlessLine, type Output } from '../output.ts';

/** Lines of a passage that are shown; the rest is one command away. */
const shownLines = 12;

/** Longer lines are data; their beginning tells enough. */
const shownColumns = 160;

/** Ranked passages with path, lines, section and relevance. */
export function renderSearch(result: z.output<typeof searchOperation.output>, output: Output): void {
  for (const warning of result.warnings) {
    output.note(
      `${output.styleNote('yellow', 'warning')} ${harmless(`${warning.message} ${warning.remedy}`)}`,
    );
  }
  result.hits.forEach((hit, index) => {
    if (index > 0) output.result('');
    renderHit(hit, index + 1, output);
  });
  if (result.hits.length === 0) output.note('Nothing found. Try other words, or fewer filters.');
  if (result.pending > 0)
    output.note(`${result.pending} chunks have no vector yet: only text search sees them.`);
}

function renderHit(hit: SearchHit, place: number, output: Output): void {
  const where = `${harmlessLine(hit.path)}:${hit.lines[0]}-${hit.lines[1]}`;
  const relevance = `relevance ${hit.relevance.toFixed(2)}`;
  output.result(`${place}. ${output.style(['bold', 'cyan'], where)}  ${output.style('green', relevance)}`);
  const section = hit.section || (hit.symbol?.name ?? '');
  if (section !== '') output.result(`   ${output.style('dim', harmlessLine(section))}`);
  const lines = harmless(hit.text).split('\n');
  const indent = commonIndent(lines);
  for (const line of lines.slice(0, shownLines))
    output.result(`   ${output.style('dim', '│')} ${shortened(line.slice(indent).trimEnd())}`);
  if (lines.length > shownLines)
    output.result(`   ${output.style('dim', `│ … ${lines.length - shownLines} more lines`)}`);
  for (const { stage, rank, score, note } of hit.trace ?? []) {
    const rankText = rank === undefined ? '' : ` rank ${rank},`;
    const words = note ? `: ${note} (+${score})` : `:${rankText} score ${score.toFixed(3)}`;
    output.result(`   ${output.style('magenta', stage)}${words}`);
  }
}

function shortened(line: string): string {
  return line.length > shownColumns ? `${line.slice(0, shownColumns)} …` : line;
}

/** White space that all lines but the first share; a passage cut out of a nested block is shown flush. */
function commonIndent(lines: readonly string[]): number {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  return indents.length > 0 ? Math.min(...indents) : 0;
}
