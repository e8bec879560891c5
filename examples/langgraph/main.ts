// A search tool in a graph: node examples/langgraph/main.ts
import assert from 'node:assert/strict';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { searchTool } from 'quarry/langgraph';
import { say, withSampleProject } from '../sample-project.ts';

await withSampleProject(async (project) => {
  const search = searchTool(project, { context: { topK: 2 } });
  // In place of a model: it always looks up what it was asked. A real one is bound with `model.bindTools([search])`.
  const agent = async ({ messages }: typeof MessagesAnnotation.State) => {
    const query = String(messages.at(-1)?.content);
    return {
      messages: [
        new AIMessage({ content: '', tool_calls: [{ id: '1', name: search.name, args: { query } }] }),
      ],
    };
  };
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', agent)
    .addNode('tools', new ToolNode([search]))
    .addEdge(START, 'agent')
    .addEdge('agent', 'tools')
    .addEdge('tools', END)
    .compile();
  const { messages } = await graph.invoke({ messages: [new HumanMessage('authentication flow')] });
  const answer = String(messages.at(-1)?.content);
  say(`\n${answer}`);
  assert.match(answer, /File: docs\/adrs\/0002-authentication-flow\.md/);
});
