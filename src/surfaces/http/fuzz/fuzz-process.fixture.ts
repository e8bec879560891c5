import { loadOperations } from '../../../operations/catalogue.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { AnsweredRequest } from '../refusal-log.ts';
import { startTestServer } from '../server.fixture.ts';
import type { AttackedServer, ServerState } from './fuzz-server.fixture.ts';

/** The server under attack, in a process of its own: a server with two projects and a job. Says what is needed to attack it. */
const failures: AnsweredRequest[] = [];
const crashes: string[] = [];
process.on('uncaughtException', (error) => crashes.push(String(error.stack)));
process.on('unhandledRejection', (reason) => crashes.push(String((reason as Error)?.stack ?? reason)));

const running = await startTestServer({
  rate: { perSecond: 1e9, burst: 1e9 },
  refusals: { perSecond: 1e9, burst: 1e9 },
  answersWithin: 3_000,
  bodies: { looksEvery: 200 },
  bounds: { headersTimeout: 1_000, requestTimeout: 2_000, connectionsCheckingInterval: 200 },
  log: (entry) => {
    if (entry.type === 'request-answered' && entry.status >= 500) failures.push(entry);
  },
});
const folder = await running.folder({
  'a.md': '# Heron\n\nWaits in the reeds.\n',
  'b.ts': 'export const b = 1;\n',
});
const { id } = await running.client.openFolder(folder);
await running.client.call(id, 'index', {});
const chunk = { path: 'a', text: 'heron', embedding: [1, 0] };
await running.client.request('POST', '/frag/store', { project: 'kept', chunks: [chunk] });
const job = (await running.client.request('POST', `/v1/projects/${id}/index?background=yes`, {})) as {
  id: string;
};
process.send?.({
  url: running.url,
  socket: running.socket,
  folder,
  secrets: [running.home, process.cwd(), folder],
  socketPaths: [
    `/v1/jobs/${job.id}/events`,
    ...(running.server.routes.includes('GET /ws/file-agent') ? ['/ws/file-agent'] : []),
  ],
  material: {
    routes: [...new Set(running.server.routes)],
    ids: [id, 'kept', job.id],
    bodies: [...(await loadOperations()).flatMap(examplesOf), ...furtherBodies(id)],
  },
} satisfies AttackedServer);
process.on('message', () => {
  // What is garbage is not held.
  globalThis.gc?.();
  process.send?.({ memory: process.memoryUsage.rss(), failures, crashes } satisfies ServerState);
});
process.on('disconnect', () => void running.server.end());

function examplesOf({ examples }: Operation): object[] {
  return examples.map(({ input }) => input);
}

/** Right bodies of the routes that are no operations. */
function furtherBodies(project: string): object[] {
  const document = {
    id: '0123456789abcdef',
    uri: 'a',
    title: 'a',
    type: 'doc',
    origin: 'file',
    mediaType: 'text/plain',
    revision: '',
    modifiedAt: 1,
    metadata: {},
  };
  const span = { start: 0, end: 1, firstLine: 1, lastLine: 1 };
  const place = { kind: 'lines', first: 1, last: 1 };
  const chunk = {
    id: '1',
    documentId: document.id,
    ordinal: 0,
    span,
    place,
    text: 't',
    header: '',
    section: '',
    metadata: {},
  };
  return [
    { project, query: 'heron' },
    { id: 'made', files: 'remote' },
    { id: 'streamed' },
    { full: true },
    { project: 'kept', chunks: [{ path: 'a', text: 'heron', embedding: [0, 1] }] },
    { project: 'kept', embedding: [1, 0], top_k: 3, filter: { paths: ['*'] } },
    { holder: 'me', seconds: 1 },
    { current: 'index-1' },
    { remove: ['index-9'] },
    { key: 'x' },
    { arguments: [document, [{ chunk, embeddingKey: 'k' }], null, null] },
    { arguments: ['default', 'AAAAAAAAgD8=', { limit: 3, filter: { paths: ['**'] } }] },
    { arguments: [['heron'], { limit: 3 }] },
    { arguments: [{ text: '(a+)+$', isRegex: true, ignoreCase: true }, { limit: 3 }] },
    { arguments: [] },
    { type: 'start', protocol: 1, project: 'streamed', manifest: [{ path: 'a.md', size: 3, hash: 'x' }] },
    { type: 'batch', id: 1, files: [{ path: '../a', content: 'x' }] },
    { type: 'complete' },
  ];
}
