import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

const points = 50_000;
/** The points of pictures that come so many milliseconds after one another. */
const drawn = (gaps: readonly number[]): number[] => {
  const pace = createPace();
  let now = 0;
  return gaps.map((gap) => {
    now += gap;
    return pace.next(now, points);
  });
};

test('a map that moves quickly enough keeps all of its points', () => {
  expect(new Set(drawn(Array(60).fill(16)))).toEqual(new Set([points]));
});

test('pictures that come late get fewer points, down to what any machine can draw, and more when they come early again', () => {
  const late = drawn(Array(20).fill(200));
  expect(late[0]).toBe(points);
  expect(late.every((count, index) => index === 0 || count <= (late[index - 1] ?? 0))).toBe(true);
  expect(late.at(-1)).toBe(4_000);
  const recovering = drawn([...Array(20).fill(200), ...Array(30).fill(16)]);
  expect(recovering.at(-1)).toBe(points);
});

test('a rest between two movements says nothing of their pace', () => {
  expect(drawn([16, 5_000, 16, 5_000, 16])).toEqual(Array(5).fill(points));
});
