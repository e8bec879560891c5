import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { asQuarryError, QuarryError } from '../../core/errors.ts';
import { firstIssue, untilFirstIssue } from '../../core/failures/first-issue.ts';
import type { Progress } from '../../core/progress.ts';
import { withoutWrappers } from '../../core/settings/setting-text.ts';
import { shownData } from '../../core/text/shown-text.ts';
import { noteReceipt } from '../../user/receipts/note-receipt.ts';
import { inputOf } from './describe-tool.ts';
import { answerText, quote } from './fence.ts';
import { findAsked } from './find-project.ts';
import type { Host } from './host.ts';
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
    const { project: named, ...checked } = await checkedInput(tool, given);
    const { project, input } = await findAsked(tool, named as string | undefined, checked, host, signal);
    const { data, text } = await tool.call(input, {
      host,
      signal,
      session,
      isFollowed: onProgress !== undefined,
      project,
      report: (progress) => onProgress?.(progress),
    });
    if (tool.isOfProject) {
      const { folder } = await project();
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
