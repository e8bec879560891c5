// Retrieval before generation, and a search tool, for the AI SDK: node examples/ai-sdk/main.ts
import assert from 'node:assert/strict';
import { generateText, stepCountIs, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { retrievalMiddleware, searchTool } from 'quarry/ai-sdk';
import { say, withSampleProject } from '../sample-project.ts';

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** In place of a model: it names the first file that stands in its prompt. Put any model of the SDK here. */
function namesFirstFile(prompt: unknown): string {
  const [file] = /File: [^\s\\]+/.exec(JSON.stringify(prompt)) ?? ['nothing'];
  return `I was given ${file}.`;
}

await withSampleProject(async (project) => {
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => ({
      content: [{ type: 'text', text: namesFirstFile(prompt) }],
      finishReason: { unified: 'stop', raw: undefined },
      usage,
      warnings: [],
    }),
  });
  const informed = wrapLanguageModel({ model, middleware: retrievalMiddleware(project) });
  const { text } = await generateText({ model: informed, prompt: 'How do I log errors?' });
  say(text);
  assert.equal(text, 'I was given File: docs/adrs/0001-structured-logging.md.');
  const unrelated = await generateText({ model: informed, prompt: 'How are chocolate cakes baked?' });
  assert.equal(unrelated.text, 'I was given nothing.');

  // The same as a tool, which a model calls when it wants to.
  const caller = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => ({
      content: prompt.some(({ role }) => role === 'tool')
        ? [{ type: 'text', text: namesFirstFile(prompt) }]
        : [
            {
              type: 'tool-call',
              toolCallId: '1',
              toolName: 'search',
              input: '{"query":"authentication flow"}',
            },
          ],
      finishReason: {
        unified: prompt.some(({ role }) => role === 'tool') ? 'stop' : 'tool-calls',
        raw: undefined,
      },
      usage,
      warnings: [],
    }),
  });
  const used = await generateText({
    model: caller,
    tools: { search: searchTool(project) },
    stopWhen: stepCountIs(2),
    prompt: 'How do people sign in?',
  });
  say(used.text);
  assert.equal(used.text, 'I was given File: docs/adrs/0002-authentication-flow.md.');
});
