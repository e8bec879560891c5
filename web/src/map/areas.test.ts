import { expect, test } from 'vitest';
import { type AreaFacts, comparedBy } from './areas.tsx';

test('an area with something old in it is among the oldest, though something new is in it too', () => {
  const area = (number: number, oldest: number, newest: number): AreaFacts => ({
    area: number,
    points: [],
    documents: 1,
    oldest,
    newest,
    copies: 0,
  });
  const areas = [area(0, 900, 1000), area(1, 100, 1000), area(2, 200, 950), area(3, 1000, 1000)];
  const inOrder = (order: 'old' | 'new') => areas.toSorted(comparedBy[order]).map((each) => each.area);
  expect(inOrder('old')).toEqual([1, 2, 0, 3]);
  expect(inOrder('new')).toEqual([3, 0, 1, 2]);
});
