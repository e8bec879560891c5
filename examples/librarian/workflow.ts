import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import type { Project } from 'quarry';
import { librarianNode, type RetrievedDocument } from 'quarry/langgraph';

/** What the workflow knows at each step. */
const State = Annotation.Root({
  brief_path: Annotation<string>,
  issue_brief: Annotation<string>,
  manual_context: Annotation<readonly string[]>,
  retrieved_context: Annotation<RetrievedDocument[]>,
  combined_context: Annotation<string>,
  document: Annotation<string>,
});
type Design = typeof State.State;

/** Writes the proposal of a design; any model will do. */
export type Writer = (prompt: string) => Promise<string>;

/** Brief, librarian, designer: the design document lists what was retrieved under Constraints. */
export function designWorkflow(project: Project, writer: Writer = template, log?: (line: string) => void) {
  return new StateGraph(State)
    .addNode('load_brief', async ({ brief_path: path }) => ({
      issue_brief: await readFile(join(project.folder, path), 'utf8'),
    }))
    .addNode('librarian', librarianNode({ project, ...(log && { log }) }))
    .addNode('designer', async (state) => ({ document: await design(state, writer) }))
    .addEdge(START, 'load_brief')
    .addEdge('load_brief', 'librarian')
    .addEdge('librarian', 'designer')
    .addEdge('designer', END)
    .compile();
}

async function design(
  {
    issue_brief: brief,
    manual_context: manual = [],
    retrieved_context: found = [],
    combined_context: context = '',
  }: Design,
  writer: Writer,
): Promise<string> {
  const [title = ''] = /(?<=^# Brief: ).+/m.exec(brief) ?? [];
  const paths = [...new Set([...manual, ...found.map(({ file_path: path }) => path)])];
  const prompt = `${context}\n\nPropose a design in three sentences that respects the documents above.\n\n${brief}`;
  return [
    `# Design: ${title}`,
    '## Constraints',
    paths.length === 0
      ? 'None were found.'
      : paths.map((path) => `- ${path}${reason(path, found)}`).join('\n'),
    '## Proposal',
    await writer(prompt),
    '',
  ].join('\n\n');
}

function reason(path: string, found: readonly RetrievedDocument[]): string {
  const document = found.find(({ file_path: other }) => other === path);
  return document ? ` (${document.section}; relevance ${document.score.toFixed(2)})` : ' (named by you)';
}

/** Without a model the proposal is left to a person. */
async function template(): Promise<string> {
  return '_To be written. No model is configured: the constraints above were found without one._';
}

/** The model of the project (`[generator]`, or one that runs on this machine); undefined where there is none. */
export async function configuredWriter(project: Project): Promise<Writer | undefined> {
  const generator = await project.generator();
  if (!generator) return undefined;
  const { max_tokens: maxTokens } = project.settings.generator;
  return async (prompt) => {
    let written = '';
    const messages = [{ role: 'user', content: prompt }] as const;
    for await (const piece of generator.generate(messages, { maxTokens, temperature: 0 })) written += piece;
    return written;
  };
}
