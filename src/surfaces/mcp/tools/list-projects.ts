import { answerText, quote } from '../fence.ts';
import { noteData, noteParts } from '../notes.ts';
import type { McpTool } from '../tool.ts';

/** Lists the projects that can be named. */
export const listProjectsTool: McpTool = {
  name: 'list_projects',
  description: 'List the projects that can be searched here. Other tools take one of these names as project.',
  operation: 'status',
  fields: {},
  isUnlisted: true,
  isOfProject: false,
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
