import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import { buildBlock } from '../../answering/context/build-block.ts';
import { countWords, retrieved } from '../../answering/context/texts.fixture.ts';
import { QuarryError } from '../../core/errors.ts';
import { deceptive, hostileText, order } from '../../core/text/shown-text.fixture.ts';
import { loadOperations } from '../../operations/catalogue.ts';
import { hostileAnswer } from '../../operations/hostile-output.fixture.ts';
import type { Operation } from '../../operations/operation.ts';
import { callTool, failureText } from './call-tool.ts';
import { complete } from './complete.ts';
import type { Host, OfferedProject } from './host.ts';
import { getPrompt } from './prompts.ts';
import { listResources, readResource } from './resources.ts';
import { tools } from './tools.ts';

let operations: readonly Operation[];
beforeAll(async () => {
  operations = await loadOperations();
});

const signal = new AbortController().signal;
const name = hostileText.map((text) => `${text}\n${order}`);

/** An engine whose projects, files and answers were written by an attacker; undefined for one that fails so. */
function hostileHost(answer: unknown, text: string, fails: boolean): Host {
  const project: OfferedProject = { id: text, name: text, folder: text };
  const result = async () => {
    if (fails) throw new QuarryError('document-not-found', text, text);
    return answer;
  };
  return {
    projects: async () => [project],
    call: result,
    startJob: async () => 'job',
    job: async () => ({ state: 'done', result: await result() }),
    cancelJob: async () => undefined,
    notes: () => [],
  };
}

/** What stands outside of the marks that the answer names. */
function outside(text: string): string {
  const mark = /^Text between <<([0-9a-f]{8}) and \1>> is quoted/.exec(text)?.[1];
  const own = mark ? text.replaceAll(new RegExp(`^<<${mark}\n[\\s\\S]*?\n${mark}>>$`, 'gm'), '') : text;
  return own.replace(/^=== BEGIN DATA ([0-9a-f]{16}) ===\n[\s\S]*?\n=== END DATA \1 ===$/gm, '');
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const inputs: Readonly<Record<string, object>> = {
  search: { query: 'x' },
  read: { path: 'x' },
  references: { what: 'refs', name: 'x' },
  get_context: { query: 'x' },
  ask: { question: 'x' },
  project: { action: 'index' },
};

test.each(tools)(
  'whatever a document holds, $name shows it inside of the marks only, and cleaned',
  async (tool) => {
    const operation = operations.find((each) => each.name === tool.operation) as Operation;
    const answers = fc.tuple(hostileAnswer(operation.output), name, fc.boolean());
    await fc.assert(
      fc.asyncProperty(answers, async ([answer, text, fails]) => {
        const block = buildBlock([retrieved(text, text)], {
          format: 'context',
          question: '',
          maxTokens: 1000,
          countTokens: countWords,
          fence: true,
        });
        const given = tool.name === 'get_context' ? { ...(answer as object), text: block.text } : answer;
        const host = hostileHost(given, text, fails);
        const result = await callTool(tool, inputs[tool.name], host, { signal });
        const shown = (result.content[0] as { text: string }).text;
        expect(shown).not.toMatch(deceptive);
        expect(outside(shown)).not.toContain(order);
        for (const string of stringsIn(result.structuredContent)) expect(string).not.toMatch(deceptive);
        expect(result.isError ?? false).toBe(fails && tool.name !== 'list_projects');
      }),
      { numRuns: draws(60) },
    );
  },
);

test('resources, completions and prompts show no name of a file outside of the marks, or uncleaned', async () => {
  await fc.assert(
    fc.asyncProperty(name, async (path) => {
      const host = hostileHost({ entries: [{ path, status: 'indexed' }], text: path }, 'project', false);
      const { resources } = await listResources(host, undefined, signal);
      for (const each of resources.flatMap(stringsIn)) expect(each).not.toMatch(/\n/);
      for (const each of resources.flatMap(stringsIn)) expect(each).not.toMatch(deceptive);
      const ref = { type: 'ref/resource', uri: 'quarry://{project}/{+path}' } as const;
      const completed = await complete(host, { ref, argument: { name: 'path', value: '' } }, signal);
      expect(completed.completion.values.join('')).not.toMatch(deceptive);
      const { contents } = await readResource(host, 'quarry://project/x', signal);
      const { messages } = getPrompt('explain', { path });
      const texts = [...stringsIn(contents), ...stringsIn(messages[0]?.content)];
      for (const text of texts) expect(text).not.toMatch(deceptive);
      expect(texts.map(outside).join('')).not.toContain(order);
      expect(outside(failureText(new QuarryError('usage-invalid', path, path)))).not.toContain(order);
    }),
    { numRuns: draws(100) },
  );
});
