import { stripVTControlCharacters, styleText } from 'node:util';
import { splitProject } from '../../../core/project-names.ts';
import { processEnvironment } from '../../../platform/environment.ts';
import type { AnswerFolder } from '../run/follower.ts';
import { hasLinks, linkTo } from './links.ts';

type Format = Parameters<typeof styleText>[0];

/** The two streams of the program: results on one, everything for people on the other. */
export interface Output {
  /** Writes a line of the result. */
  result(line: string): void;
  /** Writes a part of the result as it comes, without a line end; false, and nothing, where only the end is wanted. */
  write?(text: string): boolean;
  /** Writes a line for the person at the terminal. */
  note(line: string): void;
  /** Replaces the last line of the terminal; an empty text clears it. Does nothing without a terminal. */
  status(line: string): void;
  /** Colours a part of a result, where the stream shows colours. */
  style(format: Format, text: string): string;
  /** Colours a part of a note, where the stream shows colours. */
  styleNote(format: Format, text: string): string;
  /** A part of a result that leads to a file of the project, where the terminal has links. */
  link(text: string, path: string): string;
  /** Whether the status line is shown. */
  readonly live: boolean;
  /** Whether a program reads the result: every character of a frame or an indentation is one that it pays for. */
  readonly isPiped?: boolean;
}

/** Output on the process's own streams. Colours appear on a terminal only, and never with NO_COLOR. */
export function terminalOutput(options: {
  readonly colour: boolean;
  readonly quiet: boolean;
  /** Whether the result is written once, at the end. */
  readonly whole?: boolean;
}): Output {
  const { stdout, stderr } = process;
  const live = Boolean(stderr.isTTY) && !options.quiet;
  let statusShown = false;
  const clear = (): void => {
    if (statusShown) stderr.write('\r\u001b[2K');
    statusShown = false;
  };
  const style = (stream: NodeJS.WriteStream) => (format: Format, text: string) =>
    options.colour ? styleText(format, text, { stream }) : text;
  return {
    live,
    isPiped: !stdout.isTTY,
    result(line) {
      clear();
      stdout.write(`${line}\n`);
    },
    write(text) {
      if (options.whole) return false;
      clear();
      stdout.write(text);
      return true;
    },
    note(line) {
      clear();
      if (!options.quiet) stderr.write(`${line}\n`);
    },
    status(line) {
      if (!live) return;
      clear();
      if (line === '') return;
      stderr.write(fitted(line, stderr.columns || 80));
      statusShown = true;
    },
    link: (text) => text,
    style: style(stdout),
    styleNote: style(stderr),
  };
}

/** The same output, with links to the files of a folder where the terminal has them and colours are wanted. */
export function withLinks(output: Output, folder: AnswerFolder, isWanted: boolean): Output {
  if (!isWanted || !hasLinks(Boolean(process.stdout.isTTY), processEnvironment)) return output;
  return {
    ...output,
    link(text, path) {
      if (typeof folder === 'string') return linkTo(folder, path, text);
      const named = splitProject(path, (name) => folder.has(name));
      return named ? linkTo(folder.get(named.name) ?? '', named.rest, text) : text;
    },
  };
}

/** Cuts a line to the width of the terminal: a wrapped status line could not be replaced. */
function fitted(line: string, columns: number): string {
  return stripVTControlCharacters(line).length < columns
    ? line
    : `${stripVTControlCharacters(line).slice(0, columns - 2)}…`;
}
