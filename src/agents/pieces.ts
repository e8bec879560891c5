import { messageOf, QuarryError } from '../core/errors.ts';
import { programFile } from '../platform/package-folder.ts';
import type { Agent, InstallPlace, InstallScope, ServerCommand } from './agents.ts';
import { editBlock } from './edit-block.ts';
import { editHook } from './edit-hook.ts';
import { editSettings } from './edit-settings.ts';
import { instructionLines, programName, reminder, skillText, subagentText } from './texts.ts';

/** What can be set up for an agent, in the order in which it is. */
export const parts = ['mcp', 'instructions', 'skill', 'subagent', 'hook'] as const;

/** One of them. */
export type Part = (typeof parts)[number];

/** One thing that is set up for one agent: ours in one file of it. */
export interface Piece {
  readonly agent: Agent;
  readonly part: Part;
  readonly file: string;
  /** The text of the file with what is ours. */
  put(text: string): string;
  /** The text of the file without it; `before` is what the file was without us, where that is known. */
  take(text: string, before?: string): string;
}

/** What there is to set up for an agent, in files of this scope. */
export function piecesOf(agent: Agent, scope: InstallScope, place: InstallPlace): Piece[] {
  const { settings, instructions, skill, subagent, hook } = agent;
  const server = commandOf(agent, scope, place.folder);
  const program = () => programName(scope, place);
  const at = (part: Part, file: string | undefined, edits: Pick<Piece, 'put' | 'take'>): Piece[] =>
    file === undefined ? [] : [{ agent, part, file, ...understood(file, edits) }];
  return [
    ...at('mcp', settings.file(scope, place), {
      put: (text) => editSettings(text, settings, settings.entry(server)),
      take: (text, before) => editSettings(text, settings, undefined, before),
    }),
    ...at('instructions', instructions?.(scope, place), {
      put: (text) => editBlock(text, instructionLines(program())),
      take: (text) => editBlock(text, undefined),
    }),
    ...at('skill', skill?.(scope, place), whole(skillText)),
    ...at(
      'subagent',
      subagent?.file(scope, place),
      whole(() => subagentText(subagent?.header ?? 'claude')),
    ),
    ...at('hook', hook?.(scope, place), {
      put: (text) => editHook(text, reminder(program())),
      take: (text) => editHook(text, undefined),
    }),
  ];
}

/** A file that is ours alone. What stands there instead, somebody has written. */
function whole(ours: () => string): Pick<Piece, 'put' | 'take'> {
  return { put: ours, take: (text) => (text === ours() ? '' : text) };
}

const byteOrderMark = '\ufeff';

function understood(file: string, edits: Pick<Piece, 'put' | 'take'>): Pick<Piece, 'put' | 'take'> {
  const tried = (edit: Piece['take']) => (text: string, before?: string) => {
    // Some editors begin a file with a mark of its encoding: it is no part of the text, and stays.
    const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
    try {
      const edited = edit(text.slice(mark.length), before?.replace(/^\ufeff/, ''));
      return edited === '' ? '' : mark + edited;
    } catch (cause) {
      throw new QuarryError(
        'config-invalid',
        `${file} cannot be understood: ${messageOf(cause).split('\n')[0]}.`,
        'Correct the file, then try again; it was not changed.',
        { cause },
      );
    }
  };
  return { put: tried(edits.put), take: tried(edits.take) };
}

/** Absolute paths for the user: editors with windows know no PATH of a shell. Others who open a project have their own install. */
export function commandOf({ needsFolder }: Agent, scope: InstallScope, folder: string): ServerCommand {
  if (scope === 'project') return { command: 'npx', args: ['--no-install', 'quarry', 'mcp'] };
  return { command: process.execPath, args: [programFile(), 'mcp', ...(needsFolder ? [folder] : [])] };
}
