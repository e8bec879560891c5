import { type DynamicStructuredTool, tool } from '@langchain/core/tools';
import type { Project } from '../../calls/project.ts';
import {
  nothingFound,
  queryDescription,
  type SearchToolOptions,
  toolDescription,
  toolName,
} from '../search-tool.ts';

const schema = {
  type: 'object',
  properties: { query: { type: 'string', description: queryDescription } },
  required: ['query'],
  additionalProperties: false,
} as const;

/** A tool for agents and for the `ToolNode` of LangGraph: a context block as content, its sources as artifact. */
export function searchTool(
  project: Pick<Project, 'context'>,
  { name = toolName, description = toolDescription, context }: SearchToolOptions = {},
): DynamicStructuredTool {
  const search = async ({ query }: { query: string }, { signal }: { signal?: AbortSignal } = {}) => {
    const { text, sources } = await project.context(query, { ...context, ...(signal && { signal }) });
    return [text === '' ? nothingFound : text, sources];
  };
  // The overloads of `tool` infer no type from a JSON Schema; what arrives was checked against it.
  return tool(search as never, {
    name,
    description,
    schema,
    responseFormat: 'content_and_artifact',
  }) as unknown as DynamicStructuredTool;
}
