import { z } from 'zod';
import { errorCatalogue } from '../../core/error-catalogue.ts';
import type { Operation } from '../../operations/operation.ts';
import { needsConfirmation, scopeOf } from '../../operations/permission.ts';
import { offeredOperations, pathOfOperation } from './operation-routes.ts';
import { newProjectSchema } from './project-routes.ts';

/** The description of everything a server offers, rendered from the operations. */
export function renderOpenApi(version: string, operations: readonly Operation[]): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Quarry', version, description: 'Local-first retrieval over HTTP.' },
    security: [{}, { token: [] }],
    paths: { ...operationPaths(operations), ...projectPaths(), ...jobPaths(), ...servicePaths() },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorSchema(), Job: jobSchema(), Project: projectSchema() },
    },
  };
}

function operationPaths(operations: readonly Operation[]): Record<string, object> {
  const entries = offeredOperations(operations).map((operation) => {
    const output = { 'application/json': { schema: jsonSchema(operation.output, 'output') } };
    const frames = {
      schema: { type: 'string', description: 'One JSON frame a line: event, result or error.' },
    };
    return [
      `/v1/projects/{project}/${pathOfOperation(operation)}`,
      {
        post: {
          operationId: operation.name.replaceAll(' ', '_'),
          summary: operation.summary,
          description: `Needs the scope ${scopeOf(operation)}.`,
          parameters: [
            pathParameter('project'),
            queryParameter('background', 'Work as a job and answer at once.'),
            ...(needsConfirmation(operation)
              ? [
                  {
                    ...queryParameter('confirm', 'This removes what does not come back by itself.'),
                    required: true,
                  },
                ]
              : []),
          ],
          requestBody: {
            content: {
              'application/json': {
                schema: jsonSchema(operation.input, 'input'),
                examples: Object.fromEntries(
                  operation.examples.map(({ input, explains }) => [explains, { value: input }]),
                ),
              },
            },
          },
          responses: {
            200: {
              description: 'The result.',
              content: { ...output, 'application/x-ndjson': frames, 'text/event-stream': frames },
            },
            202: answer('The job that was started.', 'Job'),
            default: answer('Why it failed.', 'Error'),
          },
        },
      },
    ];
  });
  return Object.fromEntries(entries);
}

function projectPaths(): Record<string, object> {
  const project = answer('The project.', 'Project');
  const failed = { default: answer('Why it failed.', 'Error') };
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
        'Forget a project; its folder and index stay.',
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
  const failed = { default: answer('Why it failed.', 'Error') };
  const one = [pathParameter('job')];
  return {
    '/v1/jobs': {
      get: route('list_jobs', 'List jobs, running and ended.', [], {
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
          description: 'Events, then the result.',
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
    '/metrics': { get: route('metrics', 'Counters for Prometheus.', [], plain('The series.', 'text/plain')) },
    '/openapi.json': { get: route('openapi', 'This description.', [], plain('It.', 'application/json')) },
  };
}

function route(operationId: string, summary: string, parameters: object[], responses: object): object {
  return { operationId, summary, parameters, responses };
}

function pathParameter(name: string): object {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function queryParameter(name: string, description: string): object {
  return { name, in: 'query', description, schema: { enum: ['yes'] } };
}

function answer(description: string, schema: string): object {
  return { description, content: json(reference(schema)) };
}

function json(schema: object): object {
  return { 'application/json': { schema } };
}

function reference(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rendered } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rendered;
}

function errorSchema(): object {
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'remedy'],
        properties: {
          code: { enum: Object.keys(errorCatalogue) },
          message: { type: 'string' },
          remedy: { type: 'string', description: 'What to do about it.' },
        },
      },
    },
  };
}

function jobSchema(): object {
  return {
    type: 'object',
    required: ['id', 'project', 'operation', 'state', 'started_at'],
    properties: {
      id: { type: 'string' },
      project: { type: 'string' },
      operation: { type: 'string' },
      state: { enum: ['running', 'done', 'failed', 'cancelled'] },
      started_at: { type: 'string', format: 'date-time' },
      ended_at: { type: 'string', format: 'date-time' },
      progress: { type: 'object' },
      result: {},
      error: { type: 'object' },
    },
  };
}

function projectSchema(): object {
  return {
    type: 'object',
    required: ['id', 'files', 'registered', 'open'],
    properties: {
      id: { type: 'string' },
      files: { enum: ['local', 'streamed'] },
      registered: { type: 'boolean' },
      open: { type: 'boolean' },
      syncing: { type: 'boolean' },
      users: { type: 'integer' },
      folder: { type: 'string', description: 'Only for the owner of the server.' },
    },
  };
}
