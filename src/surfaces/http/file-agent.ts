import type { Hono } from 'hono';
import type { Engine } from '../../engine/engine.ts';
import { linkOf } from '../../streaming/link.ts';
import { streamPath } from '../../streaming/protocol.ts';
import { receiveFiles } from '../../streaming/receive-files.ts';
import { errorFor } from './answer.ts';
import { type RequestContext, type RequestOf, requireScope } from './request-context.ts';
import { answerWithSocket } from './web-sockets.ts';

/** Files that stream in from other machines, into projects that have no folder of their own here. */
export function addFileAgent(
  app: Hono<RequestContext>,
  engine: Engine,
  logFailure: (c: RequestOf) => void,
): void {
  app.get(streamPath, (c) =>
    answerWithSocket(c, (socket) => {
      void receiveFiles(linkOf(socket), {
        ...engine.receiving,
        async folderOf(project) {
          requireScope(c, 'project:write', project);
          return engine.receiving.folderOf(project);
        },
        index: (project, signal) => engine.sync(project, signal),
        shown(error) {
          const data = errorFor(c, error);
          logFailure(c);
          return data;
        },
      });
    }),
  );
}
