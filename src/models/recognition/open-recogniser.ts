import type { Recognise } from '../../core/picture.ts';
import { once } from '../../platform/once.ts';
import type { BusyFlag } from '../inference/busy-flag.ts';
import type { Installed, RecogniserCard } from '../model-card.ts';
import { readModelFile } from '../model-files.ts';
import { directed } from './direction.ts';
import { findLines } from './find-lines.ts';
import { pageText } from './page-text.ts';
import { fitted } from './pixels.ts';
import { charactersOf, readLine } from './read-line.ts';
import type { PlacedLine } from './reading-order.ts';
import { openPictureModel, type PictureModel } from './session.ts';

/** The longer side of a picture in which lines are read: A4 with 240 dots per inch. More makes small print no clearer. */
const maxSide = 2800;

/** How a recogniser works. */
export interface RecogniserOptions {
  /** Threads of one call. */
  readonly threads: number;
  /** Keeps the process from ending in the middle of a native call. */
  readonly flag?: BusyFlag | undefined;
}

/** Raised when what the recogniser makes of a picture changes: what was kept of it is then read again. */
export const recogniserVersion = 3;

/** Opens the models of a recogniser when there is a picture to read. */
export function openRecogniser(
  installed: Installed<RecogniserCard>,
  { threads, flag }: RecogniserOptions,
): Recognise {
  const load = async (file: keyof RecogniserCard['files'] & `${string}.onnx`): Promise<PictureModel> =>
    openPictureModel(await readModelFile(installed, file), threads, flag);
  const parts = once(async () => ({
    finding: await load('detection.onnx'),
    direction: await load('direction.onnx'),
    reading: await load('recognition.onnx'),
    characters: charactersOf(new TextDecoder().decode(await readModelFile(installed, 'characters.txt'))),
  }));
  return async (picture) => {
    const { finding, direction, reading, characters } = await parts();
    const page = fitted(picture, maxSide);
    const lines = await directed(page, await findLines(page, finding), direction);
    const placed: PlacedLine[] = [];
    for (const line of lines) {
      const read = await readLine(page, line, reading, characters);
      if (read) placed.push({ line, read });
    }
    return pageText(placed, page);
  };
}
