import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import { nothingFound, queryDescription, type SearchToolOptions, toolDescription } from '../search-tool.ts';

const inputSchema = z.object({ query: z.string().describe(queryDescription) });

/** A tool for `generateText`, `streamText` and agents: `tools: { search: searchTool(project) }`. */
export function searchTool(
  project: Pick<Project, 'context'>,
  { description = toolDescription, context }: Omit<SearchToolOptions, 'name'> = {},
) {
  return {
    description,
    inputSchema,
    async execute(
      { query }: z.output<typeof inputSchema>,
      { abortSignal: signal }: { readonly abortSignal?: AbortSignal | undefined } = {},
    ): Promise<string> {
      const { text } = await project.context(query, { ...context, ...(signal && { signal }) });
      return text === '' ? nothingFound : text;
    },
  };
}
