import { z } from 'zod';
import { neutraliseLine } from '../../../core/text/neutralise.ts';
import type {
  calleesOperation,
  outlineOperation,
  refsOperation,
  relatedOperation,
} from '../../../operations/find/code-graph.ts';
import { outlineLines } from '../../outline-lines.ts';
import { answerText, quote } from '../fence.ts';
import { noteData, noteParts, notesOf } from '../notes.ts';
import { perform } from '../perform.ts';
import type { McpTool } from '../tool.ts';

type References = z.output<typeof refsOperation.output>;
type Mention = References['mentions'][number];
type Callees = z.output<typeof calleesOperation.output>;
type Outline = z.output<typeof outlineOperation.output>;
type Related = z.output<typeof relatedOperation.output>;

const questions = ['refs', 'callers', 'callees', 'outline', 'related'] as const;
type Question = (typeof questions)[number];

/** Answers from the code's own graph: one tool for what are five operations, since each tool that is listed costs every conversation. */
export const referencesTool: McpTool = {
  name: 'references',
  description:
    'From the syntax of the code: every mention of a name (refs), its callers, callees, what a file or folder defines (outline), or what is related: callers, callees, tests, files. name: a name, Class.method, path#name, path:line; for outline a path. "possible": may be another of that name.',
  operation: 'refs',
  fields: { name: undefined, limit: 40 },
  own: { what: z.enum(questions) },
  required: ['name'],
  isOfProject: true,
  async call({ what, name, limit }, context) {
    const asked = what as Question; // The schema above lets no other in.
    const named =
      asked === 'outline' ? { path: name } : asked === 'related' ? { place: name, limit } : { name, limit };
    const result = await perform(context, asked, named);
    const lines = linesOf[asked](result as never); // Each question has the output of its operation.
    const notes = notesOf((result as Pick<References, 'warnings'>).warnings);
    const parts = lines.length > 0 ? [quote(lines)] : ['There is nothing of that kind.'];
    return {
      data: { lines: lines.map(neutraliseLine), ...noteData(notes) },
      text: answerText([...parts, ...noteParts(notes)]),
    };
  },
};

const linesOf: { readonly [Name in Question]: (result: never) => string[] } = {
  refs: ofReferences,
  callers: ofReferences,
  callees: ({ definitions, callees, foreign }: Callees) => [
    ...definitions.map(ofSymbol),
    ...callees.map(ofCallee),
    ...(foreign.length > 0 ? [`not of this project: ${foreign.join(', ')}`] : []),
  ],
  outline: ({ path, entries }: Outline) => outlineLines(path, entries),
  related: ({ definitions, callers, callees, tests, imports, imported_by, links, linked_by }: Related) => [
    ...definitions.map(ofSymbol),
    ...callers.map((mention) => `called by ${ofMention(mention)}`),
    ...callees.map((callee) => `calls ${ofCallee(callee)}`),
    ...tests.map((path) => `tested in ${path}`),
    ...imports.map((path) => `imports ${path}`),
    ...imported_by.map((path) => `imported by ${path}`),
    ...links.map((path) => `links to ${path}`),
    ...linked_by.map((path) => `linked by ${path}`),
  ],
};

function ofReferences({ definitions, mentions, certain, possible }: References): string[] {
  const left = certain + possible - mentions.length;
  return [
    ...definitions.map(ofSymbol),
    ...mentions.map(ofMention),
    `${certain} certain${possible > 0 ? `, ${possible} possible` : ''}${left > 0 ? `; ${left} left out (limit)` : ''}`,
  ];
}

function ofSymbol({ citation, signature }: References['definitions'][number]): string {
  return `defined at ${citation} ${signature}`;
}

function ofMention({ path, line, kind, within, certainty, text }: Mention): string {
  const what = kind === 'call' ? '' : ` ${kind}`;
  return `${path}:${line}${certainty === 'possible' ? ' possible' : ''}${what}${within ? ` in ${within}` : ''}: ${text}`;
}

function ofCallee({ name, citation, certainty }: Callees['callees'][number]): string {
  return `${name} ${citation}${certainty === 'possible' ? ' possible' : ''}`;
}
