import type { Operation } from '../../../operations/operation.ts';
import { needsConfirmation, scopeOf } from '../../../operations/permission.ts';
import { offeredOperations, pathOfOperation } from '../routes/operation-routes.ts';
import { answer, jsonSchema, pathParameter, queryParameter } from './parts.ts';
import { renderRoutes } from './routes.ts';
import { errorSchema, jobSchema, projectSchema } from './schemas.ts';

/** The description of everything a server offers, rendered from the operations. */
export function renderOpenApi(version: string, operations: readonly Operation[]): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Quarry', version, description: 'Local-first retrieval over HTTP.' },
    security: [{}, { token: [] }],
    paths: { ...operationPaths(operations), ...renderRoutes() },
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
