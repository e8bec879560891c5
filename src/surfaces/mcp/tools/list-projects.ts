import { z } from 'zod';
import { noteLines } from '../notes.ts';
import type { McpTool } from '../tool.ts';

/** Lists the projects that can be named. */
export const listProjectsTool: McpTool = {
  name: 'list_projects',
  title: 'Projects',
  description: 'List the projects that can be searched here. Other tools take one of these names as project.',
  operation: 'status',
  fields: {},
  isOfProject: false,
  output: z.object({
    projects: z.array(z.object({ name: z.string(), folder: z.string().optional() })),
    notes: z.array(z.string()),
  }),
  async call(_, { host, signal }) {
    const projects = await host.projects(signal);
    const notes = [...host.notes()];
    const lines = projects.map(({ name, folder }) => (folder ? `${name}: ${folder}` : name));
    return {
      data: { projects: projects.map(({ name, folder }) => ({ name, ...(folder && { folder }) })), notes },
      text: [...(lines.length > 0 ? lines : ['There is no project here.']), ...noteLines(notes)].join('\n'),
    };
  },
};
