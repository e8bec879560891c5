import { createMcpHandler } from '@modelcontextprotocol/server';
import type { QuarryError } from '../../core/errors.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Grant } from '../../engine/grants.ts';
import type { Operation } from '../../operations/operation.ts';
import { readJson } from '../http/requests/read-input.ts';
import type { RequestOf } from '../http/requests/request-context.ts';
import { createEngineHost } from './engine-host.ts';
import { createMcpServer } from './server.ts';

/** What the route answers with. */
export interface McpRouteParts {
  readonly engine: Engine;
  readonly operations: readonly Operation[];
  readonly version: string;
}

/** A caller as the protocol's library passes it on. */
interface Caller {
  readonly grant: Grant;
  readonly context: RequestOf;
}

/** Answers the protocol over streamable HTTP, for callers that the guard has let in. Nothing is kept between requests. */
export function createMcpRoute({
  engine,
  operations,
  version,
}: McpRouteParts): (context: RequestOf) => Promise<Response> {
  const handler = createMcpHandler(({ authInfo }) => {
    // Set below, for this same request.
    const { grant, context } = (authInfo as { extra: unknown }).extra as Caller;
    const log = (failure: QuarryError): void => context.set('failure', failure);
    return createMcpServer(createEngineHost({ engine, operations, grant, log }), version);
  });
  return async (context) => {
    const grant = context.get('grant');
    // Read here, within the bounds of every other request.
    const parsedBody = context.req.method === 'POST' ? await readJson(context) : undefined;
    return handler.fetch(context.req.raw, {
      ...(parsedBody !== undefined && { parsedBody }),
      authInfo: { token: '', clientId: grant.name, scopes: [], extra: { grant, context } },
    });
  };
}
