import { expect, test } from 'vitest';
import { type MapResult, pointsOf } from './points.ts';

test('each of fourteen areas has a colour of its own', () => {
  const all = Array.from({ length: 14 }, (_, area) => area);
  const map = {
    areas: all.map((area) => ({ words: [`word${area}`], chunks: 1 })),
    points: { x: all, y: all, area: all },
  } as unknown as MapResult;
  const { legend } = pointsOf(map, 'area');
  expect(new Set(legend.map(({ colour }) => colour)).size).toBe(14);
  expect(legend.map(({ name }) => name)).not.toContain('others');
});
