import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { withoutWrappers } from '../../core/settings/setting-text.ts';
import { loadOperation } from '../../operations/catalogue.ts';
import type { Operation } from '../../operations/operation.ts';
import type { McpTool } from './tool.ts';
import { entryOf } from './tools.ts';

const projectField = z
  .string()
  .min(1)
  .optional()
  .describe('One of list_projects; may be absent where there is only one.');

/** The input of a tool: the fields of its operation that it offers. */
export async function inputOf(tool: McpTool): Promise<z.ZodObject> {
  const { input } = await loadOperation(entryOf(tool));
  const fields = Object.entries(tool.fields).map(([name, own]) => {
    const field = input.shape[name] as z.ZodType;
    const { description = '' } = field;
    if (tool.required?.includes(name)) return [name, bare(field).describe(description)] as const;
    if (own === undefined) return [name, field] as const;
    return [
      name,
      bare(field)
        .default(own)
        .describe(description.replace(/ \(.*\)\.$/, '.')),
    ] as const;
  });
  return z.strictObject({
    ...Object.fromEntries(fields),
    ...(tool.isOfProject && { project: projectField }),
  });
}

/** The tool as it is listed: schemas, and hints from what its operation does. */
export async function describeTool(tool: McpTool): Promise<Tool> {
  const operation = await loadOperation(entryOf(tool));
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: schemaOf(await inputOf(tool), 'input') as Tool['inputSchema'],
    outputSchema: schemaOf(tool.output, 'output') as NonNullable<Tool['outputSchema']>,
    annotations: hintsOf(operation),
  };
}

function hintsOf({ effect, reach }: Operation): NonNullable<Tool['annotations']> {
  return {
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'destroys',
    idempotentHint: effect !== 'destroys',
    openWorldHint: reach === 'machine',
  };
}

/** A JSON schema as short as a model needs it. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rendered } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // The bounds of every whole number say nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (Array.isArray(jsonSchema.default) && jsonSchema.default.length === 0) delete jsonSchema.default;
      // Answers are not checked by their reader, and may grow.
      if (io === 'output') delete jsonSchema.additionalProperties;
      if (io === 'output' && jsonSchema.prefixItems) {
        jsonSchema.items = { type: 'integer' };
        for (const key of ['prefixItems', 'minItems', 'maxItems'] as const) delete jsonSchema[key];
      }
    },
  });
  return rendered;
}

/** A field without its default and without being optional. */
function bare(field: z.ZodType): z.ZodType {
  return withoutWrappers(field);
}
