import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { withoutWrappers } from '../../core/settings/setting-text.ts';
import { loadOperation } from '../../operations/catalogue.ts';
import type { Operation } from '../../operations/operation.ts';
import type { McpTool } from './tool.ts';
import { entryOf } from './tools.ts';

const projectField = z.string().min(1).optional();

/** The input of a tool as it is checked: the fields of its operation that it takes. */
export async function inputOf(tool: McpTool): Promise<z.ZodObject> {
  const { input } = await loadOperation(entryOf(tool));
  const further = (tool.unlisted ?? []).map((name) => [name, input.shape[name] as z.ZodType] as const);
  return z.strictObject({ ...Object.fromEntries(further), ...(await listedFields(tool)) });
}

async function listedFields(tool: McpTool): Promise<z.ZodRawShape> {
  const { input } = await loadOperation(entryOf(tool));
  const fields = Object.entries(tool.fields).map(([name, own]) => {
    const field = input.shape[name] as z.ZodType;
    if (tool.required?.includes(name)) return [name, bare(field)] as const;
    return [name, own === undefined ? field : bare(field).default(own)] as const;
  });
  return {
    ...Object.fromEntries(fields),
    ...tool.own,
    ...(tool.isOfProject && { project: projectField }),
  };
}

/**
 * The tool as it is listed: the schema of its input, and hints from what its operation does. Its description says what the fields
 * mean; schemas of answers are left out, which every conversation would pay for.
 */
export async function describeTool(tool: McpTool): Promise<Tool> {
  const operation = await loadOperation(entryOf(tool));
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: schemaOf(z.object(await listedFields(tool))) as Tool['inputSchema'],
    annotations: hintsOf(operation),
  };
}

function hintsOf({ effect, reach }: Operation): NonNullable<Tool['annotations']> {
  return {
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'destroys',
    openWorldHint: reach === 'machine',
  };
}

/** A JSON schema as short as a model needs it: names and types, with the words that a field admits. */
function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...rendered } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Bounds are said where they are broken.
      for (const key of [
        'minimum',
        'maximum',
        'minLength',
        'maxLength',
        'maxItems',
        'pattern',
        'default',
      ] as const)
        delete jsonSchema[key];
      delete jsonSchema.description;
      delete jsonSchema.additionalProperties;
    },
  });
  return rendered;
}

/** A field without its default and without being optional. */
function bare(field: z.ZodType): z.ZodType {
  return withoutWrappers(field);
}
