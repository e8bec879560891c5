import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import { openProject } from '../../project/open-project.ts';
import { loadRenderer } from '../../surfaces/cli/renderers.ts';
import { keptOutput } from '../../surfaces/cli/terminal/kept-output.fixture.ts';
import { loadOperations } from '../catalogue.ts';

let project: Project;
beforeAll(async () => {
  const home = await temporaryFolder({});
  const folder = await temporaryFolder({
    'heron.md': '# Heron\n\nIt waits in the reeds.\n',
    'quarry.toml':
      '[index]\nredact_secrets = false\n[embedder]\ndriver = "hashing"\n[generator]\ndriver = "none"\n',
  });
  project = await openProject(folder, { environment: (name) => (name === 'HOME' ? home : undefined) });
});
afterAll(() => project.close());

/** What a person sees of an operation. */
async function shown(name: string, input: object): Promise<string> {
  const operation = (await loadOperations()).find((each) => each.name === name);
  if (!operation) throw new Error(`no operation ${name}`);
  const work = operation.run(project, operation.input.parse(input), {});
  let step = await work.next();
  while (!step.done) step = await work.next();
  const { output, lines } = keptOutput();
  (await loadRenderer(name)).render?.(operation.output.parse(step.value) as never, output);
  return lines.join('\n');
}

test.each([
  ['index', {}],
  ['status', {}],
  ['doctor', {}],
  ['config set', { changes: ['search.top_k=7'], preview: true }],
  ['search', { query: 'heron' }],
  ['context', { query: 'heron' }],
  ['ask', { question: 'Where does the heron wait?' }],
])(
  '"quarry %s" says which settings of the project file do not count, and how they would',
  async (name, input) => {
    const text = await shown(name, input);
    expect(text).toContain(
      'quarry.toml has index.redact_secrets = false, which lowers your protection and does not count.',
    );
    expect(text).toContain('quarry trust');
  },
);

test('"quarry trust show" lists them', async () => {
  expect(await shown('trust show', {})).toMatch(/^Not trusted.*\n {2}index\.redact_secrets = false$/);
});
