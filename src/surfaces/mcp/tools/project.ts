import { z } from 'zod';
import { QuarryError } from '../../../core/errors.ts';
import type { McpTool } from '../tool.ts';
import { askTool } from './ask.ts';
import { indexWorkspaceTool } from './index-workspace.ts';
import { listProjectsTool } from './list-projects.ts';
import { statusTool } from './status.ts';

const actions = { status: statusTool, index: indexWorkspaceTool, list: listProjectsTool, ask: askTool };

/** What is rarely needed, as one tool: each tool that is listed costs every conversation its description. */
export const projectTool: McpTool = {
  name: 'project',
  description:
    'Rarely needed. action: status (how far the index is; when something is not found that should be), index (bring it up to date, wait), list (projects that can be named as project), ask (short answer to question, with sources).',
  operation: 'index',
  fields: {},
  own: {
    action: z.enum(['status', 'index', 'list', 'ask']),
    question: z.string().min(1).max(100_000).optional(),
  },
  isOfProject: true,
  async call({ action, question }, context) {
    const tool = actions[action as keyof typeof actions];
    if (tool === askTool && question === undefined)
      throw new QuarryError('usage-invalid', 'There is no question.', 'Give it as question.');
    return tool.call(tool === askTool ? { question } : {}, context);
  },
};
