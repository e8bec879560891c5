import { z } from 'zod';

/** One route, by the name that generated clients give it. */
export function route(operationId: string, summary: string, parameters: object[], responses: object): object {
  return { operationId, summary, parameters, responses };
}

/** A part of the path. */
export function pathParameter(name: string): object {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

/** A switch in the query: `yes` or absent. */
export function queryParameter(name: string, description: string): object {
  return { name, in: 'query', description, schema: { enum: ['yes'] } };
}

/** An answer with a schema of the components. */
export function answer(description: string, schema: string): object {
  return { description, content: json(reference(schema)) };
}

/** A body of JSON. */
export function json(schema: object): object {
  return { 'application/json': { schema } };
}

/** A schema of the components. */
export function reference(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema of the program as JSON schema. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rendered } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rendered;
}

/** What every route may answer with instead. */
export const failed = { default: answer('Why it failed.', 'Error') };

interface Posted {
  readonly input: object;
  readonly output: object;
  readonly status?: number;
}

/** A route that takes a JSON object and answers with one. */
export function posted(
  id: string,
  summary: string,
  parameters: object[],
  { input, output, status = 200 }: Posted,
): object {
  return {
    ...route(id, summary, parameters, {
      [status]: { description: 'The answer.', content: json(output) },
      ...failed,
    }),
    requestBody: { content: json(input) },
  };
}
