import type { Progress as Work } from '../../../src/core/progress.ts';
import { counted } from './words.ts';

/** How far work is, in words and as a bar. */
export function Progress({ progress, left }: { progress: Work; left?: string | undefined }) {
  const { text, done, total, unit } = progress;
  const words = total === undefined ? text : `${text}: ${counted(done)} of ${counted(total)} ${unit}`;
  return (
    <div class="progress">
      <p role="status">
        {words}
        {left !== undefined && <span class="quiet"> · {left}</span>}
      </p>
      <progress aria-label={text} {...(total !== undefined && { value: done, max: Math.max(total, 1) })} />
    </div>
  );
}
