import { z } from 'zod';
import { answerText, quote } from '../fence.ts';
import { noteData, noteParts } from '../notes.ts';
import type { McpTool } from '../tool.ts';
import { noteFields } from './with-notes.ts';

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
    ...noteFields,
  }),
  async call(_, { host, signal }) {
    const projects = await host.projects(signal);
    const notes = { notes: [...host.notes()], details: [] };
    const lines = projects.map(({ name, folder }) => (folder ? `${name}: ${folder}` : name));
    return {
      data: {
        projects: projects.map(({ name, folder }) => ({ name, ...(folder && { folder }) })),
        ...noteData(notes),
      },
      text: answerText([lines.length > 0 ? quote(lines) : 'There is no project here.', ...noteParts(notes)]),
    };
  },
};
