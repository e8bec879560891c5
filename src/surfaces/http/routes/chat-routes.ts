import type { Hono } from 'hono';
import { z } from 'zod';
import { QuarryError } from '../../../core/errors.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { Operation } from '../../../operations/operation.ts';
import { readChecked } from '../requests/read-input.ts';
import type { RequestContext } from '../requests/request-context.ts';
import { onlyProject } from './compatible-routes.ts';
import { boundsOf, performOperation } from './operation-routes.ts';

const turn = z.object({ role: z.enum(['user', 'assistant', 'system']), content: z.string() });

/** A conversation, or one message; the other fields are those of the operation `ask`. */
export const chatInput = z.looseObject({
  project: z.string().optional().describe('May be left out where there is but one.'),
  project_id: z.string().optional(),
  message: z.string().optional().describe('The question; or the last of `messages` is it.'),
  messages: z.array(turn).max(200).optional().describe('The conversation, oldest turn first.'),
});

/** `POST /api/chat`: the operation `ask`, with a conversation as chat programs send it; `use_rag=false` asks the model alone. */
export function addChatRoutes(
  app: Hono<RequestContext>,
  engine: Engine,
  operations: readonly Operation[],
): void {
  const ask = operations.find(({ name }) => name === 'ask') as Operation;
  app.post('/api/chat', async (c) => {
    const {
      project_id,
      project = project_id,
      message,
      messages = [],
      ...more
    } = await readChecked(c, chatInput, boundsOf(ask));
    const last = message === undefined ? messages.at(-1) : undefined;
    const question = message ?? (last?.role === 'user' ? last.content : undefined);
    if (question === undefined)
      throw new QuarryError(
        'usage-invalid',
        'The request has no question.',
        'Send "message", or "messages" whose last turn is that of the user.',
      );
    // What the caller calls the system has no say here: the sources and how to use them are ours to explain.
    const history = (last ? messages.slice(0, -1) : messages).filter(({ role }) => role !== 'system');
    const id = project ?? (await onlyProject(c, engine));
    const retrieve = !['false', '0', 'no'].includes(c.req.query('use_rag') ?? 'true');
    return performOperation(c, engine, ask, id, { ...more, question, history, retrieve });
  });
}
