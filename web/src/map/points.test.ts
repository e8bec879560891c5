import { expect, test } from 'vitest';
import { type MapResult, pointsOf } from './points.ts';

/** The colours of as many areas as a map has. */
function coloursOfAreas(): string[] {
  const all = Array.from({ length: 14 }, (_, area) => area);
  const map = {
    areas: all.map((area) => ({ words: [`word${area}`], chunks: 1 })),
    points: { x: all, y: all, area: all },
  } as unknown as MapResult;
  const { legend } = pointsOf(map, 'area');
  expect(legend.map(({ name }) => name)).not.toContain('others');
  return legend.map(({ colour }) => colour);
}

type Three = readonly [number, number, number];

/** What of red, green and blue light is seen as, by readers with all cones and by those who lack one kind (Machado and others, 2009). */
const sights: Readonly<Record<string, readonly Three[]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'no long': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'no middle': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'no short': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function light(colour: string): Three {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return [red, green, blue];
}

const weighed = (by: Three, [red, green, blue]: Three): number => by[0] * red + by[1] * green + by[2] * blue;
const brightness = (colour: string): number => weighed([0.2126, 0.7152, 0.0722], light(colour));

/** Where a colour is in CIELAB, for a reader. */
function placeOf(colour: string, sight: readonly Three[]): Three {
  const [red = 0, green = 0, blue = 0] = sight.map((row) =>
    Math.min(1, Math.max(0, weighed(row, light(colour)))),
  );
  const seen: Three = [red, green, blue];
  const root = (share: number): number => (share > 0.008856 ? Math.cbrt(share) : 7.787 * share + 16 / 116);
  const x = root(weighed([0.4124, 0.3576, 0.1805], seen) / 0.95047);
  const y = root(weighed([0.2126, 0.7152, 0.0722], seen));
  const z = root(weighed([0.0193, 0.1192, 0.9505], seen) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

test('each of fourteen areas has a colour of its own, for readers who see few colours too', () => {
  const colours = coloursOfAreas();
  expect(colours).toHaveLength(14);
  for (const [reader, sight] of Object.entries(sights)) {
    const places = colours.map((colour) => placeOf(colour, sight));
    const distances = places.flatMap((one, index) =>
      places.slice(0, index).map((other) => Math.hypot(...one.map((part, at) => part - (other[at] ?? 0)))),
    );
    expect(Math.min(...distances), reader).toBeGreaterThan(20);
  }
});

test('the colour of each area stands off from a light and from a dark page', () => {
  for (const ground of ['#ffffff', '#1d1c19'])
    for (const colour of coloursOfAreas()) {
      const [high = 0, low = 0] = [brightness(colour), brightness(ground)].sort((a, b) => b - a);
      expect((high + 0.05) / (low + 0.05), `${colour} on ${ground}`).toBeGreaterThanOrEqual(1.99);
    }
});
