import { expect, test } from 'vitest';
import { createAgents } from './agents.ts';

test('those that are connected come first, and one that comes again and again is listed once', () => {
  let now = 0;
  const agents = createAgents(() => now);
  const laptop = { name: 'laptop', address: '10.0.0.2' };
  for (let push = 1; push <= 3; push += 1) {
    const heard = agents.arrive(laptop);
    heard({ project: 'notes', phase: 'sending' });
    now = push * 1000;
    heard({ phase: 'done' });
    heard(undefined);
    heard({ phase: 'failed' });
  }
  agents.arrive({ name: 'desk', address: '10.0.0.3' });
  expect(agents.list()).toMatchObject([
    { name: 'desk', phase: 'connected' },
    { name: 'laptop', project: 'notes', phase: 'done', endedAt: 3000 },
  ]);
  expect(agents.list()[0]).not.toHaveProperty('endedAt');
});

test('fifty that have left are remembered', () => {
  const agents = createAgents();
  for (let turn = 0; turn < 80; turn += 1) agents.arrive({ name: `${turn}`, address: '' })(undefined);
  expect(agents.list()).toHaveLength(50);
  expect(agents.list()[0]?.name).toBe('79');
});
