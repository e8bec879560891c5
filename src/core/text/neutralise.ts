import { shownLine, shownText } from './shown-text.ts';

/**
 * Text from a document as it may stand in a prompt: nothing in it can pass for the end of the block, for a turn of a
 * conversation or for a token of a chat template, and nothing is in it that a reader cannot see. A backslash breaks what
 * only looks like such a mark; all other text stays as it is.
 */
export function neutralise(text: string): string {
  const unbroken = inLine.reduce((part, pattern) => part.replace(pattern, '$&\\'), shownText(text));
  return unbroken.replace(lineStart, '$1\\');
}

/** The same on one line. */
export function neutraliseLine(line: string): string {
  return neutralise(shownLine(line));
}

/** A path, a title or another name on one line, neutralised; a long one is cut. */
export function neutraliseName(name: string): string {
  return neutraliseLine(name).slice(0, maxNameLength).toWellFormed().trim();
}

const maxNameLength = 400;

/** Marks of blocks, prompts and turns, which count at the beginning of a line. */
const lineStart = new RegExp(
  `^([ \\t]*)(?=${[
    '<<[0-9a-f]{6,16}[ \\t]*$',
    '[0-9a-f]{6,16}>>[ \\t]*$',
    '={3,} *(?:BEGIN|END)\\b[^\\n]*DATA',
    '\\[/?RETRIEVED CONTEXT\\]',
    '\\[Source[ :][^\\n]*\\]',
    'File: [^\\n]*\\(chunks? \\d',
    '(?:Context|Question|Instructions|SYSTEM|System|Human|Assistant|User|Developer)[ \\t]*:',
    '#{2,} *(?:System|Instructions?|Input|Response|Human|Assistant|User)\\b[ \\t]*:?[ \\t]*$',
  ].join('|')})`,
  'gm',
);

/** The beginnings of marks that count anywhere; a backslash is put after what matches. */
const inLine: readonly RegExp[] = [
  // <|im_start|>, <|eot_id|>, <｜User｜>
  /<(?=[|｜][^\n<>]{1,60}[|｜]?>)/g,
  // [INST], [/INST], [SYSTEM_PROMPT], [TOOL_CALLS]
  /\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT)\])/g,
  // <<SYS>>, <</SYS>>
  /<(?=<\/?SYS>>)/g,
  // Tags that blocks and prompts are built with, and those of turns.
  /<(?=\/?\s*(?:working_memory|system[\w-]*|assistant|human|developer|instructions?|documents?|context|tool_[\w-]*|function_[\w-]*|start_of_turn|end_of_turn|bos|eos|s)\s*>)/gi,
  // An image is fetched by what shows the answer: one that a model copies would carry what is in its address.
  /!(?=\[[^\]\n]{0,300}\][([])/g,
  /<(?=(?:img|iframe|script|object|embed|link|meta)\b)/gi,
];
