import type { Progress } from '../../core/progress.ts';

/** Milliseconds between two signs of life; clients give up after 30 seconds and more. */
const aliveEvery = 5_000;
/** Milliseconds between two reports: a client needs no more to draw a bar. */
const reportEvery = 100;

/** Progress as the protocol sends it. */
export interface ProgressParams {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Reports progress, not too often, and repeats it while there is no other. The number rises with each report. */
export function keepAlive(send: (params: ProgressParams) => void): {
  onProgress(progress: Progress): void;
  stop(): void;
} {
  let last: Progress | undefined;
  let count = 0;
  let sentAt = 0;
  let said = '';
  const report = (): void => {
    sentAt = performance.now();
    count += 1;
    said = last ? sentenceOf(last) : 'Working';
    send({ progress: count, message: said });
  };
  const timer = setInterval(report, aliveEvery);
  return {
    onProgress(progress) {
      last = progress;
      if (sentenceOf(progress) !== said && performance.now() - sentAt >= reportEvery) report();
    },
    stop: () => clearInterval(timer),
  };
}

function sentenceOf({ text, done, total, unit }: Progress): string {
  return total === undefined ? text : `${text} ${done}/${total} ${unit}`;
}
