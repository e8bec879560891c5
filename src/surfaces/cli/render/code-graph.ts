import type { z } from 'zod';
import { counted } from '../../../core/text/counted.ts';
import type {
  calleesOperation,
  outlineOperation,
  refsOperation,
  relatedOperation,
} from '../../../operations/find/code-graph.ts';
import { outlineLines } from '../../outline-lines.ts';
import type { Output } from '../terminal/output.ts';

type References = z.output<typeof refsOperation.output>;
type Symbols = References['definitions'];
type Mentions = References['mentions'];
type Callees = z.output<typeof calleesOperation.output>['callees'];
type Warnings = References['warnings'];

/** Definitions that are shown: of more the name means too much. */
const shownDefinitions = 5;

/** Where it is defined, then a line for each mention; those that are only possible below a word that says so. */
export function renderReferences(result: References, output: Output): void {
  noteWarnings(result.warnings, output);
  showSymbols(result.definitions, output);
  const certain = result.mentions.filter((mention) => mention.certainty === 'certain');
  const possible = result.mentions.filter((mention) => mention.certainty === 'possible');
  showMentions(certain, output);
  if (possible.length > 0) {
    output.result(output.style('dim', 'possible, where the object is not known or stands for it:'));
    showMentions(possible, output);
  }
  const counts = [counted(result.certain, 'mention'), result.possible > 0 && `${result.possible} possible`];
  const left = result.certain + result.possible - result.mentions.length;
  output.note(`${counts.filter(Boolean).join(', ')}${left > 0 ? `; ${left} not shown (--limit)` : ''}`);
}

/** What is called, with the lines of the calls. */
export function renderCallees(result: z.output<typeof calleesOperation.output>, output: Output): void {
  noteWarnings(result.warnings, output);
  showSymbols(result.definitions, output);
  showCallees(result.callees, output);
  if (result.foreign.length > 0) output.note(`not of this project: ${result.foreign.join(', ')}`);
}

/** What a file or a folder has, with places that `read` takes. */
export function renderOutline(
  { path, entries, warnings }: z.output<typeof outlineOperation.output>,
  output: Output,
): void {
  noteWarnings(warnings, output);
  for (const line of outlineLines(path, entries)) output.result(line);
}

/** Callers, callees, tests and files, each under its word. */
export function renderRelated(result: z.output<typeof relatedOperation.output>, output: Output): void {
  noteWarnings(result.warnings, output);
  showSymbols(result.definitions, output);
  const head = (word: string) => output.result(output.style('bold', word));
  if (result.callers.length > 0) {
    head('called by');
    showMentions(result.callers, output);
  }
  if (result.callees.length > 0) {
    head('calls');
    showCallees(result.callees, output);
  }
  const lists = {
    'tested in': result.tests,
    imports: result.imports,
    'imported by': result.imported_by,
    'links to': result.links,
    'linked by': result.linked_by,
    'links to what is not here': result.missing_links,
  };
  const found = [result.definitions, result.callers, result.callees, ...Object.values(lists)];
  if (found.every(({ length }) => length === 0)) output.note('Nothing of the project is linked with it.');
  for (const [word, paths] of Object.entries(lists)) {
    if (paths.length === 0) continue;
    head(word);
    for (const path of paths) output.result(`  ${path}`);
  }
}

function showSymbols(symbols: Symbols, output: Output): void {
  for (const { citation, signature } of symbols.slice(0, shownDefinitions))
    output.result(`${output.style('bold', citation)}  ${signature}`);
  const left = symbols.length - shownDefinitions;
  if (left > 0) output.result(`and ${counted(left, 'definition')} more`);
}

/** A line each; what is in the file of the line above begins with its own line alone. */
function showMentions(mentions: Mentions, output: Output): void {
  for (const [at, { path, line, kind, within, text }] of mentions.entries()) {
    const what = kind === 'call' || kind === 'text' ? '' : `${kind}  `;
    const file = path === mentions[at - 1]?.path ? '' : path;
    output.result(
      `  ${file}:${line}  ${within ? `${output.style('dim', `in ${within}`)}  ` : ''}${what}${text}`,
    );
  }
}

function showCallees(callees: Callees, output: Output): void {
  for (const { name, citation, certainty, called_at: lines } of callees)
    output.result(
      `  ${name}  ${citation}${certainty === 'possible' ? '  possible' : ''}  ${output.style('dim', `at ${lines.join(', ')}`)}`,
    );
}

function noteWarnings(warnings: Warnings, output: Output): void {
  for (const { message, remedy } of warnings)
    output.note(`${output.styleNote('yellow', 'warning')} ${message} ${remedy}`);
}
