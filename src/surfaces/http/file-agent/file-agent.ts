import type { Hono } from 'hono';
import type { Agent } from '../../../engine/agents.ts';
import type { Engine } from '../../../engine/engine.ts';
import { linkOf } from '../../../streaming/link.ts';
import { streamPath } from '../../../streaming/protocol.ts';
import { receiveFiles } from '../../../streaming/receive-files.ts';
import { errorFor } from '../requests/answer.ts';
import {
  type RequestContext,
  type RequestOf,
  requireCredential,
  requireOwner,
  requireScope,
} from '../requests/request-context.ts';
import { answerWithSocket, talks } from '../web-sockets.ts';

/** Files that stream in from other machines, into projects that have no folder of their own here. */
export function addFileAgent(
  app: Hono<RequestContext>,
  engine: Engine,
  logFailure: (c: RequestOf) => void,
): void {
  const receive = talks((c: RequestOf) =>
    answerWithSocket(c, (socket, takeLong) => {
      const hear = engine.agents.arrive({
        name: c.get('grant').name,
        address: c.env.incoming.socket.remoteAddress ?? '',
      });
      socket.on('close', () => hear(undefined));
      const link = linkOf(socket, () => requireCredential(c));
      void receiveFiles(link, {
        ...engine.receiving,
        async folderOf(project) {
          requireScope(c, 'project:write', project);
          return engine.receiving.folderOf(project);
        },
        heard(state) {
          // Until its turn has come, a client has nothing long to say.
          if (state.phase === 'sending') takeLong();
          hear(state);
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
  app.get(streamPath, receive);
  app.get('/v1/agents', (c) => {
    requireOwner(c);
    return c.json({ agents: engine.agents.list().map(agentData) });
  });
}

function agentData({ connectedAt, heardAt, endedAt, receivedBytes, ...agent }: Agent): object {
  const moment = (time: number) => new Date(time).toISOString();
  return {
    ...agent,
    connected_at: moment(connectedAt),
    heard_at: moment(heardAt),
    ...(endedAt !== undefined && { ended_at: moment(endedAt) }),
    ...(receivedBytes !== undefined && { received_bytes: receivedBytes }),
  };
}
