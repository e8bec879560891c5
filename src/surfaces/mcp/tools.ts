import { QuarryError } from '../../core/errors.ts';
import { catalogue } from '../../operations/catalogue.ts';
import type { McpTool } from './tool.ts';
import { askTool } from './tools/ask.ts';
import { getContextTool } from './tools/get-context.ts';
import { indexWorkspaceTool } from './tools/index-workspace.ts';
import { listProjectsTool } from './tools/list-projects.ts';
import { projectTool } from './tools/project.ts';
import { readTool } from './tools/read.ts';
import { referencesTool } from './tools/references.ts';
import { searchTool } from './tools/search.ts';
import { statusTool } from './tools/status.ts';

/** Every tool, in the order a model sees them; those that are not listed are called through `project`, and by name as before. */
export const tools: readonly McpTool[] = [
  searchTool,
  readTool,
  referencesTool,
  getContextTool,
  projectTool,
  askTool,
  statusTool,
  indexWorkspaceTool,
  listProjectsTool,
];

/** The catalogue's entry of a tool's operation. */
export function entryOf({ operation }: McpTool) {
  const entry = catalogue.find(({ name }) => name === operation);
  // A test compares the table with the catalogue.
  if (!entry)
    throw new QuarryError('internal', `There is no operation "${operation}".`, 'Report this as a defect.');
  return entry;
}
