import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { asQuarryError, QuarryError } from '../../core/errors.ts';
import { firstIssue, untilFirstIssue } from '../../core/failures/first-issue.ts';
import type { Progress } from '../../core/progress.ts';
import { withoutWrappers } from '../../core/settings/setting-text.ts';
import { neutraliseLine } from '../../core/text/neutralise.ts';
import { shownData } from '../../core/text/shown-text.ts';
import { noteReceipt } from '../../user/receipts/note-receipt.ts';
import { inputOf } from './describe-tool.ts';
import { answerText, quote } from './fence.ts';
import type { Host, OfferedProject } from './host.ts';
import { summaryOf } from './notes.ts';
import { type McpTool, newSession, type Session } from './tool.ts';

/** How a call is followed. */
export interface CallFollower {
  readonly signal: AbortSignal;
  /** What the conversation has been shown; a new one where absent. */
  readonly session?: Session | undefined;
  /** Absent where the caller does not ask for progress. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Performs a call of a tool. A failure is an answer too: a model can correct its call by it. */
export async function callTool(
  tool: McpTool,
  given: unknown,
  host: Host,
  { signal, onProgress, session = newSession() }: CallFollower,
): Promise<CallToolResult> {
  try {
    const { project: named, ...input } = await checkedInput(tool, given);
    const { data, text } = await tool.call(input, {
      host,
      signal,
      session,
      isFollowed: onProgress !== undefined,
      project: () => findProject(host, named as string | undefined, signal),
      report: (progress) => onProgress?.(progress),
    });
    if (tool.isOfProject) {
      const { folder } = await findProject(host, named as string | undefined, signal);
      await noteReceipt({ surface: 'mcp', operation: tool.name, folder, given: text.length, answer: data });
    }
    return { content: [{ type: 'text', text }], structuredContent: { ...shownData(data, textFields) } };
  } catch (thrown) {
    return { content: [{ type: 'text', text: failureText(asQuarryError(thrown)) }], isError: true };
  }
}

/** Fields of answers as data that hold several lines. */
const textFields = ['text', 'answer'];

/** An error for a model: what it is in our words, and what happened as a quotation. */
export function failureText({ code, message, remedy }: QuarryError): string {
  return answerText([summaryOf(code), quote([message, remedy])]);
}

async function checkedInput(tool: McpTool, given: unknown): Promise<Record<string, unknown>> {
  const schema = await inputOf(tool);
  const parsed = schema.safeParse(asMeant(schema, given ?? {}), untilFirstIssue);
  if (parsed.success) return parsed.data;
  throw new QuarryError(
    'usage-invalid',
    `${tool.name}: ${firstIssue(parsed.error, 'arguments')}.`,
    `It takes: ${listedOf(tool).join(', ')}.`,
  );
}

function listedOf({ fields, own = {}, isOfProject }: McpTool): string[] {
  return [...Object.keys(fields), ...Object.keys(own), ...(isOfProject ? ['project'] : [])];
}

/** Arguments as models often write them: one word for a list, digits in quotes, null for nothing. */
function asMeant(schema: z.ZodObject, given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const fields = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries(
    fields.map(([name, value]) => {
      const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
      const inner = field && withoutWrappers(field);
      if (inner instanceof z.ZodArray && typeof value === 'string') return [name, [value]];
      if (inner instanceof z.ZodNumber && typeof value === 'string' && /^\d{1,9}(\.\d+)?$/.test(value))
        return [name, Number(value)];
      if (inner instanceof z.ZodBoolean && (value === 'true' || value === 'false'))
        return [name, value === 'true'];
      return [name, value];
    }),
  );
}

/**
 * The project that is named; without a name the folder that is open here, or the only one: nothing else can be reached.
 */
export async function findProject(
  host: Host,
  named: string | undefined,
  signal?: AbortSignal,
): Promise<OfferedProject> {
  const projects = await host.projects(signal);
  const names = projects.map(({ name }) => name).join(', ');
  if (named === undefined) {
    const open = projects.filter(({ folder }) => folder !== undefined);
    const [only, ...others] = open.length > 0 ? open : projects;
    if (only && others.length === 0) return only;
    throw only
      ? new QuarryError('usage-invalid', 'There are several projects.', `Name one as project: ${names}.`)
      : noProject();
  }
  // Names are shown cleaned, and accepted as they are shown.
  const found = projects.find(({ name, id, folder }) =>
    [name, neutraliseLine(name), id, folder].includes(named),
  );
  if (found) return found;
  // A name that a folder has without others of its name beside it.
  const meant = projects.filter(({ folder = '' }) => folder.split(/[\\/]/).at(-1) === named);
  const [only, ...others] = meant;
  if (only && others.length === 0) return only;
  if (only)
    throw new QuarryError(
      'usage-invalid',
      `Several folders are called ${JSON.stringify(named.slice(0, 100))}.`,
      `Name one of: ${meant.map(({ name }) => name).join(', ')}.`,
    );
  throw new QuarryError(
    'project-not-found',
    `There is no project ${JSON.stringify(named.slice(0, 100))} here.`,
    names === '' ? noProject().remedy : `Name one of: ${names}.`,
  );
}

function noProject(): QuarryError {
  return new QuarryError(
    'project-not-found',
    'No project is offered here.',
    'Start the server in a project folder, or as: quarry mcp --project FOLDER.',
  );
}
