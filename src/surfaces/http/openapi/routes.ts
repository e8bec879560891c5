import { knownLeaseSchema, storeCallNames } from '../../../contracts/store-calls.ts';
import { streamPath } from '../../../streaming/protocol.ts';
import { chatInput } from '../routes/chat-routes.ts';
import { embeddingSearchInput, storeInput } from '../routes/frag-routes.ts';
import { leaseInput, listInput } from '../routes/index-routes.ts';
import { newProjectSchema } from '../routes/project-routes.ts';
import {
  answer,
  failed,
  json,
  jsonSchema,
  pathParameter,
  posted,
  queryParameter,
  reference,
  route,
} from './parts.ts';
import { readerPaths } from './reader-paths.ts';

/** Everything but the operations: projects, jobs, indexes of clients, the names of other services, the server itself. */
export function renderRoutes(): Record<string, object> {
  return {
    ...projectPaths(),
    ...jobPaths(),
    ...readerPaths(),
    ...indexPaths(),
    ...seedPaths(),
    ...servicePaths(),
  };
}

function projectPaths(): Record<string, object> {
  const project = answer('The project.', 'Project');
  return {
    '/v1/projects': {
      get: route('list_projects', 'List the projects that the caller may read.', [], {
        200: {
          description: 'The projects.',
          content: json({
            type: 'object',
            properties: { projects: { type: 'array', items: reference('Project') } },
          }),
        },
        ...failed,
      }),
      post: {
        ...route('create_project', 'Make a project known.', [], { 201: project, ...failed }),
        requestBody: { content: json(jsonSchema(newProjectSchema, 'input')) },
      },
    },
    '/v1/projects/{project}': {
      get: route('get_project', 'Look at a project.', [pathParameter('project')], {
        200: project,
        ...failed,
      }),
      delete: route(
        'forget_project',
        'Forget a project; its folder and index stay. One of a folder only for the owner of the server.',
        [pathParameter('project')],
        {
          204: { description: 'It is forgotten.' },
          ...failed,
        },
      ),
    },
  };
}

function jobPaths(): Record<string, object> {
  const job = answer('The job.', 'Job');
  const one = [pathParameter('job')];
  return {
    '/v1/jobs': {
      get: route('list_jobs', 'List jobs, running and ended, without long results.', [], {
        200: {
          description: 'The jobs.',
          content: json({ type: 'object', properties: { jobs: { type: 'array', items: reference('Job') } } }),
        },
        ...failed,
      }),
    },
    '/v1/jobs/{job}': {
      get: route('get_job', 'Look at a job.', one, { 200: job, ...failed }),
      delete: route('cancel_job', 'Ask a job to stop.', one, { 202: job, ...failed }),
    },
    '/v1/jobs/{job}/events': {
      get: route('follow_job', 'Follow the events of a job until its end.', one, {
        200: {
          description: 'Events, then the result. With "Upgrade: websocket", a frame a message.',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        ...failed,
      }),
    },
  };
}

function servicePaths(): Record<string, object> {
  const plain = (description: string, mediaType: string): object => ({
    200: {
      description,
      content: { [mediaType]: { schema: { type: mediaType.includes('json') ? 'object' : 'string' } } },
    },
  });
  return {
    '/health': {
      get: route('health', 'Whether the server answers.', [], plain('It does.', 'application/json')),
    },
    '/ready': {
      get: route('ready', 'Whether the server takes work.', [], plain('It does.', 'application/json')),
    },
    [streamPath]: {
      get: route('stream_files', 'Send files of a client over a WebSocket, as `quarry push` does.', [], {
        101: { description: 'The connection stays open; the guide describes the protocol.' },
        ...failed,
      }),
    },
    '/v1/agents': {
      get: route('agents', 'Who sends files, or has sent some; only for the owner of the server.', [], {
        ...plain('Those that are connected first.', 'application/json'),
        ...failed,
      }),
    },
    '/mcp': {
      post: {
        ...route(
          'mcp',
          'A message of the Model Context Protocol (streamable HTTP), for editors and agents.',
          [],
          {
            200: {
              description: 'The answer as JSON, or events and then the answer.',
              content: { ...json({ type: 'object' }), 'text/event-stream': { schema: { type: 'string' } } },
            },
            202: { description: 'A notification was taken.' },
            ...failed,
          },
        ),
        requestBody: { required: true, content: json({ type: 'object', required: ['jsonrpc', 'method'] }) },
      },
    },
    '/metrics': { get: route('metrics', 'Counters for Prometheus.', [], plain('The series.', 'text/plain')) },
    '/v1/engine': {
      get: route('engine', 'What the engine holds open; only for the owner of the server.', [], {
        ...plain('Its state.', 'application/json'),
        ...failed,
      }),
    },
    '/v1/engine/page': {
      post: route('open_page', 'A link to the page that works once; only for the owner of the server.', [], {
        201: { description: 'Address and key.', content: json({ type: 'object' }) },
        ...failed,
      }),
    },
    '/v1/session': {
      post: posted('begin_session', 'Turn the key of a link into a token of the page.', [], {
        input: { type: 'object', required: ['key'], properties: { key: { type: 'string' } } },
        output: { type: 'object', required: ['token'], properties: { token: { type: 'string' } } },
        status: 201,
      }),
      delete: route('end_session', 'End the session of the page that asks, and what it has under way.', [], {
        204: { description: 'It has ended.' },
        ...failed,
      }),
    },
    '/v1/engine/give-way': {
      post: route(
        'replace_engine',
        'End the engine if a command started it in the background; only for the owner of the server.',
        [],
        {
          202: { description: 'Whether it is ending.', content: json({ type: 'object' }) },
          ...failed,
        },
      ),
    },
    '/v1/engine/stop': {
      post: route('stop_engine', 'End the engine; only for the owner of the server.', [], {
        202: { description: 'It is ending.', content: json({ type: 'object' }) },
        ...failed,
      }),
    },
    '/openapi.json': { get: route('openapi', 'This description.', [], plain('It.', 'application/json')) },
  };
}

function indexPaths(): Record<string, object> {
  const project = pathParameter('project');
  return {
    '/v1/projects/{project}/indexes': {
      post: posted(
        'list_indexes',
        'List, switch or remove the indexes that a client keeps here.',
        [project],
        {
          input: jsonSchema(listInput, 'input'),
          output: {
            type: 'object',
            required: ['current', 'names'],
            properties: { current: { type: 'string' }, names: { type: 'array', items: { type: 'string' } } },
          },
        },
      ),
    },
    '/v1/projects/{project}/indexes/{index}/{call}': {
      post: posted(
        'call_index',
        'Call an index that a client keeps here, as the store driver `remote` does.',
        [project, pathParameter('index'), { ...pathParameter('call'), schema: { enum: storeCallNames } }],
        {
          input: {
            type: 'object',
            required: ['arguments'],
            properties: {
              arguments: { type: 'array' },
            },
          },
          output: { type: 'object', properties: { result: {} } },
        },
      ),
    },
    '/v1/projects/{project}/locks/{lock}': {
      post: posted(
        'hold_lock',
        'Look at a lease, take it, renew it or give it back.',
        [project, pathParameter('lock')],
        {
          input: jsonSchema(leaseInput, 'input'),
          output: {
            type: 'object',
            properties: {
              lease: { anyOf: [jsonSchema(knownLeaseSchema, 'output'), { type: 'null' }] },
              replaced: { type: 'boolean' },
            },
          },
        },
      ),
    },
  };
}

/** Addresses that programs know from other services. */
function seedPaths(): Record<string, object> {
  const project = pathParameter('project');
  const found = { type: 'object', description: 'As the operation answers.' };
  return {
    '/projects': {
      get: route('list_projects_too', 'The same as /v1/projects.', [], {
        200: { description: 'The projects.', content: json({ type: 'object' }) },
        ...failed,
      }),
      post: posted('create_project_too', 'The same as /v1/projects.', [], {
        input: jsonSchema(newProjectSchema, 'input'),
        output: reference('Project'),
        status: 201,
      }),
    },
    '/projects/{project}/index': {
      post: posted('index_in_background', 'Index in the background.', [project], {
        input: { type: 'object', properties: { full: { type: 'boolean' } } },
        output: reference('Job'),
        status: 202,
      }),
    },
    '/projects/{project}/status': {
      get: route('status_of_project', 'The operation status.', [project], {
        200: { description: 'The state of the index.', content: json(found) },
        ...failed,
      }),
    },
    '/search': {
      post: posted('search_project', 'The operation search; the body also names the project.', [], {
        input: {
          type: 'object',
          required: ['query'],
          properties: {
            project: { type: 'string', description: 'May be left out where there is but one.' },
            project_id: { type: 'string' },
            query: { type: 'string' },
          },
        },
        output: found,
      }),
    },
    '/frag/store': {
      post: posted('store_embedded', 'Keep chunks that the client has embedded.', [], {
        input: jsonSchema(storeInput, 'input'),
        output: { type: 'object' },
      }),
    },
    '/frag/search/embedding': {
      post: posted('search_by_embedding', 'Find the nearest chunks that a client has embedded.', [], {
        input: jsonSchema(embeddingSearchInput, 'input'),
        output: { type: 'object', properties: { results: { type: 'array', items: { type: 'object' } } } },
      }),
    },
    '/api/chat': {
      post: posted(
        'chat',
        'The operation ask, with a conversation. Accept text/event-stream or application/x-ndjson to get it as it is written.',
        [
          {
            ...queryParameter('use_rag', 'Whether to answer from the project; true unless false.'),
            schema: { type: 'boolean' },
          },
        ],
        { input: jsonSchema(chatInput, 'input'), output: found },
      ),
    },
    '/api/dashboard/summary': {
      get: route(
        'dashboard_summary',
        'The operation overview: counts, freshness, what changed last, the largest topics.',
        [
          {
            ...queryParameter('use_rag', 'Whether to add a summary with its sources.'),
            schema: { type: 'boolean' },
          },
          {
            ...queryParameter('project', 'May be left out where there is but one.'),
            schema: { type: 'string' },
          },
        ],
        { 200: { description: 'The facts.', content: json(found) }, ...failed },
      ),
    },
  };
}
