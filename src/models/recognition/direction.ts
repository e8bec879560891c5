import type { Picture } from '../../core/picture.ts';
import { cutOut, type Scaling, tensorOf } from './pixels.ts';
import { type Rectangle, turned } from './rectangle.ts';
import type { PictureModel } from './session.ts';

const scaling: Scaling = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] };
const height = 48;
const width = 192;
/** From this share of height over width on the text of a line runs down or up. */
const tallFrom = 1.5;
/** Lines that are asked for their direction, the longest first: those of a page agree. */
const voters = 9;
/** Mean likelihood of being upside down from which the lines are turned. */
const upsideDownFrom = 0.6;

/** The lines, each turned so that its text runs along its width from left to right. */
export async function directed(
  picture: Picture,
  lines: readonly Rectangle[],
  model: PictureModel,
): Promise<Rectangle[]> {
  const tall = lines.filter((line) => line.height >= tallFrom * line.width);
  const wide = lines.filter((line) => line.height < tallFrom * line.width);
  // A few characters are as high as wide: they stand as most of the page does.
  const isTurned = lengthOf(tall, 'height') > lengthOf(wide, 'width');
  const square = wide.filter((line) => isTurned && line.width < tallFrom * line.height);
  const across = wide.filter((line) => !square.includes(line));
  const down = [...tall, ...square].map((line) => turned(line, 1));
  return [...(await upright(picture, across, model)), ...(await upright(picture, down, model))];
}

function lengthOf(lines: readonly Rectangle[], side: 'width' | 'height'): number {
  return lines.reduce((sum, line) => sum + line[side], 0);
}

/** Lines of one direction, turned around where most of them are upside down. */
async function upright(
  picture: Picture,
  lines: readonly Rectangle[],
  model: PictureModel,
): Promise<readonly Rectangle[]> {
  const asked = [...lines].sort((one, other) => other.width - one.width).slice(0, voters);
  let sum = 0;
  for (const line of asked) sum += await upsideDown(picture, line, model);
  return sum > upsideDownFrom * asked.length ? lines.map((line) => turned(line, 2)) : lines;
}

async function upsideDown(picture: Picture, line: Rectangle, model: PictureModel): Promise<number> {
  // Of a long line its beginning is enough, and shows more than the whole in so little room.
  const max = (line.height * width) / height;
  const part = line.width > max ? beginningOf(line, max) : line;
  const cut = cutOut(
    picture,
    part,
    Math.max(1, Math.min(width, Math.round((part.width / part.height) * height))),
    height,
  );
  const { values } = await model.run(tensorOf(cut, scaling, width), [1, 3, height, width]);
  return values[1] ?? 0;
}

function beginningOf(line: Rectangle, width: number): Rectangle {
  const back = (line.width - width) / 2;
  const center = {
    x: line.center.x - back * Math.cos(line.angle),
    y: line.center.y - back * Math.sin(line.angle),
  };
  return { ...line, center, width };
}
