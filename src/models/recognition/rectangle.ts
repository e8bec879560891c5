/** A point of a picture in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle at any angle. */
export interface Rectangle {
  readonly center: Point;
  /** Along its own axis, which is turned by `angle` from that of the picture. */
  readonly width: number;
  readonly height: number;
  /** Radians, from -π/4 to π/4 where `width` runs more or less across; larger where it was turned. */
  readonly angle: number;
}

/** The point of a rectangle at these shares of its width and height. */
export function pointIn({ center, width, height, angle }: Rectangle, across: number, down: number): Point {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [dx, dy] = [(across - 0.5) * width, (down - 0.5) * height];
  return { x: center.x + dx * cos - dy * sin, y: center.y + dx * sin + dy * cos };
}

/** The same rectangle with its axis turned by quarters of a circle. */
export function turned({ center, width, height, angle }: Rectangle, quarters: number): Rectangle {
  const isOdd = quarters % 2 !== 0;
  return {
    center,
    width: isOdd ? height : width,
    height: isOdd ? width : height,
    angle: angle + (quarters * Math.PI) / 2,
  };
}

/** The smallest rectangle around points, whose width lies within 45 degrees of the horizontal. */
export function smallestAround(points: readonly Point[]): Rectangle {
  const hull = hullOf(points);
  let best: Rectangle | undefined;
  for (const [at, from] of hull.entries()) {
    const to = hull[(at + 1) % hull.length] ?? from;
    const along = boxAlong(hull, Math.atan2(to.y - from.y, to.x - from.x));
    if (!best || along.width * along.height < best.width * best.height) best = along;
  }
  const found = best ?? boxAlong(points, 0);
  return turned(found, -Math.round(found.angle / (Math.PI / 2)));
}

function boxAlong(points: readonly Point[], angle: number): Rectangle {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    const [along, down] = [x * cos + y * sin, y * cos - x * sin];
    left = Math.min(left, along);
    right = Math.max(right, along);
    top = Math.min(top, down);
    bottom = Math.max(bottom, down);
  }
  const [along, down] = [(left + right) / 2, (top + bottom) / 2];
  const center = { x: along * cos - down * sin, y: along * sin + down * cos };
  return { center, width: right - left, height: bottom - top, angle };
}

/** The corners of the convex hull, by a walk over the points from left to right and back. */
function hullOf(points: readonly Point[]): readonly Point[] {
  const sorted = [...points].sort((one, other) => one.x - other.x || one.y - other.y);
  const half = (ordered: readonly Point[]): Point[] => {
    const kept: Point[] = [];
    for (const point of ordered) {
      while (kept.length > 1 && turn(kept.at(-2), kept.at(-1), point) <= 0) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** Positive where the way from the first point over the second to the third turns. */
function turn(one: Point | undefined, two: Point | undefined, three: Point): number {
  if (!one || !two) return 0;
  return (two.x - one.x) * (three.y - one.y) - (two.y - one.y) * (three.x - one.x);
}
