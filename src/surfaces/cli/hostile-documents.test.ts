import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import { deceptive, order } from '../../core/text/shown-text.fixture.ts';
import { loadOperation } from '../../operations/catalogue.ts';
import { hostileAnswer } from '../../operations/hostile-output.fixture.ts';
import type { Operation } from '../../operations/operation.ts';
import { performed } from './commands/commands.ts';
import { loadRenderer, renderedOperations } from './renderers.ts';
import { keptOutput } from './terminal/kept-output.fixture.ts';

let operations: readonly Operation[];
beforeAll(async () => {
  operations = await Promise.all(performed.map(loadOperation));
});

/** What prints a text as it stands: that text is the result. */
const ofText = ['read', 'context', 'memory', 'ask', 'mcp install', 'install', 'uninstall'];

/** The address of our own page is no text of a document. */
const shownOperations = renderedOperations.filter((name) => name !== 'ui');

test.each(shownOperations)(
  'whatever a document holds, "quarry %s" shows nothing that deceives, and no name as lines of its own',
  async (name) => {
    const operation = operations.find((each) => each.name === name) as Operation;
    const render = (await loadRenderer(name)).render as (result: unknown, output: unknown) => void;
    fc.assert(
      fc.property(hostileAnswer(operation.output), (answer) => {
        const { output, lines } = keptOutput();
        render(answer, output);
        const shown = lines.join('\n');
        expect(shown).not.toMatch(deceptive);
        if (!ofText.includes(name))
          expect(shown.split('\n').filter((line) => line.startsWith(order))).toEqual([]);
      }),
      { numRuns: draws(40) },
    );
  },
);

test('events are shown in the same way', async () => {
  for (const { name, events } of operations) {
    if (!events) continue;
    const { createProgress } = await loadRenderer(name);
    fc.assert(
      fc.property(hostileAnswer((await events()) as never), (event) => {
        const { output, lines } = keptOutput();
        const shown: string[] = [];
        const progress = createProgress({
          ...output,
          live: true,
          status: (line) => shown.push(line),
          write: (text) => shown.push(text) > 0,
        });
        progress.report(event as never);
        progress.end();
        expect([...shown, ...lines].join('\n')).not.toMatch(deceptive);
        expect(
          lines
            .join('\n')
            .split('\n')
            .filter((line) => line.startsWith(order)),
        ).toEqual([]);
      }),
      { numRuns: draws(60) },
    );
  }
});
