import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { deletePaths } from '../index/write.ts';
import { openProject } from '../project/open-project.ts';
import { areasOf } from './areas.ts';
import { layOut } from './layout.ts';
import { type MapOptions, mapProject } from './map-project.ts';
import { nearRows } from './near-rows.ts';
import { alongPrincipalAxes, type Rows, seededRandom } from './principal-axes.ts';

/** Rows in groups that lie apart along some axes, with noise along all. */
function groups(sizes: readonly number[], width = 24): Rows & { readonly group: number[] } {
  const random = seededRandom(7);
  const group = sizes.flatMap((size, index) => Array.from({ length: size }, () => index));
  const values = new Float32Array(group.length * width);
  for (const [row, index] of group.entries())
    for (let column = 0; column < width; column += 1)
      values[row * width + column] = (column % sizes.length === index ? 1 : 0) + (random() - 0.5) * 0.4;
  return { values, count: group.length, width, group };
}

const distance = (rows: Rows, a: number, b: number): number => {
  let sum = 0;
  for (let column = 0; column < rows.width; column += 1)
    sum += ((rows.values[a * rows.width + column] ?? 0) - (rows.values[b * rows.width + column] ?? 0)) ** 2;
  return sum;
};

test('the first axes hold most of the spread, and are the same each time', () => {
  const rows = groups([60, 60, 60]);
  const reduced = alongPrincipalAxes(rows, 4);
  const spread = (axis: number): number => {
    let sum = 0;
    for (let row = 0; row < reduced.count; row += 1) sum += (reduced.values[row * 4 + axis] ?? 0) ** 2;
    return sum;
  };
  expect(spread(0)).toBeGreaterThanOrEqual(spread(1) * 0.9);
  // Three groups span a plane: what is left is noise.
  expect(spread(1)).toBeGreaterThan(spread(2) * 5);
  expect(alongPrincipalAxes(rows, 4).values).toEqual(reduced.values);
});

test('nine of ten near rows are those that looking at all would give', () => {
  const rows = alongPrincipalAxes(groups([400, 400]), 8);
  const near = nearRows(rows, 10);
  let right = 0;
  for (let row = 0; row < rows.count; row += 40) {
    const exact = Array.from({ length: rows.count }, (_, other) => other)
      .filter((other) => other !== row)
      .sort((a, b) => distance(rows, row, a) - distance(rows, row, b))
      .slice(0, 10);
    right += exact.filter((other) => near.subarray(row * 10, row * 10 + 10).includes(other)).length;
  }
  expect(right / 200).toBeGreaterThan(0.9);
});

test('a layout keeps groups together and apart from each other, and is the same each time', () => {
  const { group, ...rows } = groups([50, 50, 50, 50]);
  const reduced = alongPrincipalAxes(rows, 8);
  const near = nearRows(reduced, 10);
  const places = layOut(reduced, near, 10);
  const plane = { values: places, count: rows.count, width: 2 };
  let together = 0;
  for (let row = 0; row < rows.count; row += 1) {
    const nearest = Array.from({ length: rows.count }, (_, other) => other)
      .filter((other) => other !== row)
      .sort((a, b) => distance(plane, row, a) - distance(plane, row, b))[0];
    if (group[nearest ?? 0] === group[row]) together += 1;
  }
  expect(together / rows.count).toBeGreaterThan(0.95);
  expect(layOut(reduced, near, 10)).toEqual(places);
});

test('areas are the groups of the rows, the largest first, and named by words that the others have not', () => {
  const { group, ...rows } = groups([80, 40, 20]);
  const own = ['heron', 'anchor', 'ticket'];
  const words = group.map((index, row) => ['common', own[index] ?? '', `only${row}`]);
  const { areas, areaOf } = areasOf(alongPrincipalAxes(rows, 8), words);
  const named = new Map<string, number>();
  for (const [row, index] of group.entries()) {
    const area = areas[areaOf[row] ?? 0];
    expect(area?.words).not.toContain('common');
    if (area?.words[0] === own[index]) named.set(own[index] ?? '', (named.get(own[index] ?? '') ?? 0) + 1);
  }
  // Each row lies in an area that has the name of its group.
  expect([...named.values()].reduce((sum, count) => sum + count, 0)).toBe(140);
  const sizes = areas.map(({ chunks }) => chunks);
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  expect(areasOf({ values: new Float32Array(), count: 0, width: 8 }, []).areas).toEqual([]);
});

test('every chunk with a vector has a place, rough and fine; an empty index has none', async () => {
  const names = Array.from({ length: 12 }, (_, number) => `note-${number}.md`);
  const texts = names.map((name, number) => [name, `# Note ${number}\n\nAbout subject ${number % 3}.\n`]);
  const folder = await temporaryFolder({
    'quarry.toml': '[embedder]\ndriver = "hashing"\n[index]\ninclude = ["*.md"]\n',
    ...Object.fromEntries(texts),
  });
  const project = await openProject(folder);
  const pointsOf = async (options: MapOptions) => (await mapProject(project, options)).points;
  try {
    expect(await pointsOf({ limit: 100, fine: false })).toEqual([]);
    for await (const _ of project.index());
    for (const fine of [false, true]) {
      const points = await pointsOf({ limit: 100, fine });
      expect(points.map(({ uri }) => uri).sort()).toEqual([...names].sort());
      for (const { x, y } of points) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(1);
      }
      expect(await pointsOf({ limit: 100, fine })).toEqual(points);
    }
    const [first] = await pointsOf({ limit: 100, fine: false });
    await deletePaths(await project.store(), [first?.uri ?? '']);
    const changed = await pointsOf({ limit: 100, fine: false });
    expect(changed.map(({ uri }) => uri)).not.toContain(first?.uri);
    expect(await pointsOf({ limit: 5, fine: false })).toHaveLength(5);
  } finally {
    await project.close();
  }
});
