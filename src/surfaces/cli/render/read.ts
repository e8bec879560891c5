import type { z } from 'zod';
import { counted } from '../../../core/text/counted.ts';
import { numberedParts } from '../../../core/text/left-out.ts';
import { beginningOf } from '../../../core/text/shortened.ts';
import type { readOperation } from '../../../operations/find/read.ts';
import type { ReadPlace } from '../../../operations/find/reading-schema.ts';
import type { Output } from '../terminal/output.ts';
import { renderNumbered } from './numbered-lines.ts';

/** Characters of a signature. */
const maxSignature = 120;

/** Each place with its citation, and below it the text with the numbers of its lines. */
export function renderRead(result: z.output<typeof readOperation.output>, output: Output): void {
  for (const { message, remedy } of result.warnings)
    output.note(`${output.styleNote('yellow', 'warning')} ${message} ${remedy}`);
  const { further = [], failed = [], numbers = true } = result;
  const say = (line: string) => (numbers ? output.result(output.style('dim', line)) : output.note(line));
  for (const place of [result, ...further]) {
    if (further.length > 0 && numbers) output.result(output.style('bold', place.citation));
    else output.note(output.styleNote('bold', place.citation));
    renderPlace(place, numbers, output);
  }
  if ([result, ...further].some(({ folded = [] }) => folded.length > 0))
    say('Folded lines are read as PATH:42-97, all of it with --full.');
  for (const { message, remedy } of failed)
    output.note(`${output.styleNote('red', 'not read:')} ${message} ${remedy}`);
}

function renderPlace(place: ReadPlace, isNumbered: boolean, output: Output): void {
  const { lines, text, folded } = place;
  const parts = isNumbered && lines ? numberedParts(text, lines, folded) : undefined;
  for (const part of parts ?? [text])
    if (typeof part === 'string') output.result(parts ? output.style('dim', part) : part);
    else renderNumbered([part], output, 'as it is');
  if (place.facts) output.result(output.style('dim', place.facts));
  if (place.outline) renderRest(place.outline, output);
  renderCommits(place, output);
  // What is copied is the text alone; who reads it reads on.
  const say = (line: string) => (isNumbered ? output.result(output.style('dim', line)) : output.note(line));
  if (place.is_cut) say(restOf(place));
  for (const { citation, signature } of place.others) say(`also ${citation}  ${signature}`);
}

/** Who wrote it last: a line for each commit, which `read` opens. */
function renderCommits({ commits, uncommitted }: ReadPlace, output: Output): void {
  for (const { citation, date, author, subject } of commits ?? []) {
    const name = author.replace(/\s*<.*$/, '');
    output.result(
      `${output.style('bold', citation)}  ${date.slice(0, 10)}  ${name}  ${beginningOf(subject, maxSignature)}`,
    );
  }
  if (uncommitted !== undefined)
    output.result(output.style('dim', `${counted(uncommitted, 'line')} not committed yet`));
  else if (commits?.length === 0) output.result(output.style('dim', 'no commit has it'));
}

/** What the rest of a long file has: lines, which `read` takes behind the path, and what is there. */
function renderRest(entries: NonNullable<ReadPlace['outline']>, output: Output): void {
  output.result(output.style('dim', 'The rest of it has:'));
  for (const { depth, citation, signature, name } of entries) {
    const place = citation.slice(citation.lastIndexOf(':') + 1);
    output.result(
      `  ${output.style('dim', place)} ${'  '.repeat(depth)}${beginningOf(signature || name, maxSignature)}`,
    );
  }
}

function restOf({ path, next, total_lines: total }: ReadPlace): string {
  const further = next === undefined ? 'raise --max-tokens' : `quarry read ${path}:${next}`;
  return `The rest, up to line ${total}: ${further}`;
}
