import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { errorFromData, interrupted } from '../../../core/errors.ts';
import { isDisabled } from '../../../core/failures/project-disabled.ts';
import type { Progress } from '../../../core/progress.ts';
import { counted } from '../../../core/text/counted.ts';
import type { indexOperation } from '../../../operations/index/index-project.ts';
import type { statusOperation } from '../../../operations/index/status.ts';
import { answerText, quote } from '../fence.ts';
import { noteData, noteParts, notesOf } from '../notes.ts';
import { perform } from '../perform.ts';
import type { McpTool, ToolAnswer, ToolContext } from '../tool.ts';

/** Milliseconds a call waits for the end: clients that hear of progress wait longer than others. */
const patience = { followed: 120_000, silent: 20_000 } as const;
const lookEvery = 300;
/** Milliseconds after which a run that waits for another one is looked behind. */
const waitPatience = 3_000;

/** Brings the index up to date, and answers before a client gives up. */
export const indexWorkspaceTool: McpTool = {
  name: 'index_workspace',
  description:
    'Bring the index up to date now. Searches do this by themselves: call it only to wait for a first index, or with full to read every file again. Long work continues after the answer; status shows how far it is.',
  operation: 'index',
  fields: { paths: undefined, full: undefined },
  isUnlisted: true,
  isOfProject: true,
  async call(input, context) {
    const { host, signal, report, isFollowed } = context;
    const id = await host.startJob(await context.project(), 'index', input);
    const until = performance.now() + (isFollowed ? patience.followed : patience.silent);
    let waitsSince: number | undefined;
    for (;;) {
      const { state, progress, result, error } = await host.job(id);
      if (state === 'done') return doneAnswer(result as z.output<typeof indexOperation.output>);
      if (error) throw errorFromData(error);
      if (state === 'cancelled') throw interrupted();
      if (progress) report(progress);
      if (performance.now() > until) return runningAnswer(progress);
      waitsSince = progress?.phase === 'waiting' ? (waitsSince ?? performance.now()) : undefined;
      if (waitsSince !== undefined && performance.now() - waitsSince > waitPatience) {
        waitsSince = undefined;
        const answer = await upToDateAnswer(context);
        if (answer) {
          await host.cancelJob(id);
          return answer;
        }
      }
      // It fails only where the signal is aborted, which is looked at next.
      await sleep(lookEvery, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) {
        await host.cancelJob(id);
        throw interrupted(signal.reason);
      }
    }
  },
};

/** The answer where all text is indexed and another run makes the vectors; there is nothing else to wait for. */
async function upToDateAnswer(context: ToolContext): Promise<ToolAnswer | undefined> {
  const { changes, pending, documents } = (await perform(context, 'status', {
    recent: 0,
    topics: 0,
  })) as z.output<typeof statusOperation.output>;
  if (!changes || changes.added + changes.changed + changes.deleted > 0) return undefined;
  return {
    data: { state: 'done', indexed: 0, pending, notes: [] },
    text: `Done: the text of ${counted(documents, 'file')} is up to date; vectors of ${counted(pending, 'chunk')} are made now.`,
  };
}

function doneAnswer({ summary, failed, warnings }: z.output<typeof indexOperation.output>): ToolAnswer {
  const { indexed, unchanged, deleted } = summary.documents;
  const { pending, total } = summary.chunks;
  const notes = notesOf(warnings);
  const paths = failed.map(({ path, reason }) => `${path}: ${reason}`).slice(0, 20);
  return {
    data: { state: 'done', indexed, failed: paths, pending, ...noteData(notes) },
    text: answerText([
      isDisabled(warnings)
        ? 'Nothing was indexed.'
        : `Done: ${counted(indexed, 'file')} read, ${unchanged} unchanged, ${deleted} removed; ${counted(total, 'chunk')}, ${pending} without a vector yet.`,
      ...(paths.length > 0 ? ['Failed:', quote(paths)] : []),
      ...noteParts(notes),
    ]),
  };
}

function runningAnswer(progress: Progress | undefined): ToolAnswer {
  const where = progress
    ? `${progress.text}${progress.total === undefined ? '' : ` ${progress.done} of ${progress.total} ${progress.unit}`}`
    : 'Working';
  return {
    data: { state: 'running', progress: where, notes: [] },
    text: `Still running: ${where}. It continues by itself; search already works on what is read.`,
  };
}
