import type { Picture } from '../../core/picture.ts';
import type { LineText } from './line-text.ts';
import { cutOut, type Scaling, tensorOf } from './pixels.ts';
import type { Rectangle } from './rectangle.ts';
import type { PictureModel } from './session.ts';
import { withWordGaps } from './word-gaps.ts';

const scaling: Scaling = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] };
const height = 48;
/** The width that the models have learned from; shorter lines are filled up. */
const minWidth = 320;
const maxWidth = 3200;
/** Widths are rounded up, so that few shapes are met. */
const block = 32;
/** Characters that are less certain than this on average are no text. */
const certainFrom = 0.5;

/** Reads one line; undefined where there is no text that can be read. */
export async function readLine(
  picture: Picture,
  line: Rectangle,
  model: PictureModel,
  characters: readonly string[],
): Promise<LineText | undefined> {
  const width = Math.max(1, Math.min(maxWidth, Math.round((line.width / line.height) * height)));
  const cut = cutOut(picture, line, width, height);
  const filled = Math.max(minWidth, Math.ceil(width / block) * block);
  const { values, shape } = await model.run(tensorOf(cut, scaling, filled), [1, 3, height, filled]);
  const [steps = 0, classes = 0] = shape.slice(1);
  const read = decode(values, steps, classes, characters, filled / width);
  if (read.certainty < certainFrom || read.text.trim() === '') return undefined;
  return withWordGaps(read, cut);
}

/** The likeliest class of each step; repetitions are one character, and class 0 is none. `stretch` makes steps shares of the line. */
function decode(
  values: Float32Array,
  steps: number,
  classes: number,
  characters: readonly string[],
  stretch: number,
): LineText {
  let text = '';
  let sum = 0;
  let count = 0;
  let before = 0;
  let begin = 0;
  const middles: number[] = [];
  const likeliest = (step: number): number => {
    let best = 0;
    const from = step * classes;
    for (let each = 1; each < classes; each += 1)
      if ((values[from + each] as number) > (values[from + best] as number)) best = each;
    return best;
  };
  const end = (step: number): void => {
    const character = characters[before - 1] ?? '';
    text += character;
    const middle = Math.min(1, (((begin + step) / 2) * stretch) / steps);
    for (let unit = 0; unit < character.length; unit += 1) middles.push(middle);
  };
  for (let step = 0; step <= steps; step += 1) {
    const best = step < steps ? likeliest(step) : 0;
    if (best === before) continue;
    if (before > 0) end(step);
    if (best > 0) {
      sum += values[step * classes + best] as number;
      count += 1;
    }
    begin = step;
    before = best;
  }
  return { text, middles, certainty: count === 0 ? 0 : sum / count };
}

/** The characters of a dictionary with one on each line; the last class is the space. */
export function charactersOf(dictionary: string): readonly string[] {
  return [...dictionary.replace(/\n$/, '').split(/\r?\n/), ' '];
}
