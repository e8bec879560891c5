import { createPace } from './pace.ts';

/** Milliseconds after the last change before all points are drawn. */
const restingPause = 120;

/** Draws what has changed once a picture: with fewer points where pictures come late, and with all of them at rest. */
export interface Painter {
  /** Has the next picture drawn this way, with so many of the points. */
  request(points: number, draw: (max: number) => void): void;
  end(): void;
}

/** A painter that has drawn nothing yet. */
export function createPainter(): Painter {
  const pace = createPace();
  let wanted = { points: 0, draw: (_: number): void => undefined };
  let frame: number | undefined;
  let rest: ReturnType<typeof setTimeout> | undefined;
  const paint = (now: number): void => {
    frame = undefined;
    const max = pace.next(now, wanted.points);
    wanted.draw(max);
    if (max < wanted.points) rest = setTimeout(() => wanted.draw(wanted.points), restingPause);
  };
  return {
    request(points, draw) {
      wanted = { points, draw };
      clearTimeout(rest);
      // One that waits is kept: put off with each change, it would never come while changes come with every picture.
      frame ??= requestAnimationFrame(paint);
    },
    end() {
      if (frame !== undefined) cancelAnimationFrame(frame);
      clearTimeout(rest);
    },
  };
}
