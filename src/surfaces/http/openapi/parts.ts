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
