import type { z } from 'zod';
import type { askOperation } from '../../../operations/find/ask.ts';
import type { Output } from '../terminal/output.ts';
import { createProgress, type ProgressRenderer } from '../terminal/progress.ts';

type AskResult = z.output<typeof askOperation.output>;

/** Shows an answer as it is written, then the sources that it rests on. */
export function createAskRenderer() {
  let isShown = false;
  return {
    createProgress(output: Output): ProgressRenderer {
      const progress = createProgress(output);
      return {
        report(event) {
          if (event.type !== 'answer-text') return progress.report(event);
          progress.end();
          if (output.write?.(event.text)) isShown = true;
        },
        end: () => progress.end(),
      };
    },
    render(result: AskResult, output: Output): void {
      if (isShown || result.answer !== '') output.result(isShown ? '' : result.answer);
      for (const { message, remedy } of result.warnings)
        output.note(`${output.styleNote('yellow', 'warning')} ${message} ${remedy}`);
      if (!result.is_complete)
        output.note(`${output.styleNote('yellow', 'warning')} The answer was cut off.`);
      renderSources(result, output);
      noteDoubts(result, output);
    },
  };
}

/** Only sources that sentences rest on; where none does, all that were found. */
function renderSources({ sources, kind }: AskResult, output: Output): void {
  const cited = sources.filter((source) => source.cited);
  const shown = cited.length > 0 ? cited : sources;
  if (shown.length === 0) return;
  output.result('');
  output.result(
    output.style('bold', cited.length > 0 || kind === 'none' ? 'Sources' : 'Found, but not cited'),
  );
  for (const { number, citation, path, section, on_disk: state } of shown) {
    const where = output.link(output.style('cyan', citation), path);
    const about = section === '' ? '' : `  ${output.style('dim', section)}`;
    const changed = state === 'current' ? '' : `  ${output.style('yellow', diskWords[state])}`;
    output.result(`[${number}] ${where}${about}${changed}`);
  }
}

const diskWords = {
  moved: 'moved within its file',
  changed: 'its file says something else by now',
  gone: 'its file is gone',
} as const;

function noteDoubts({ sentences }: AskResult, output: Output): void {
  const count = (verdict: string): number =>
    sentences.filter((sentence) => sentence.verdict === verdict).length;
  const unsupported = count('unsupported');
  if (unsupported > 0)
    output.note(
      `${unsupported} of ${sentences.length} sentences have no support in the sources; they are marked.`,
    );
  if (count('stale') > 0) output.note('Some sources have changed since they were indexed. Run: quarry index');
}
