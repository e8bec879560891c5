import type { z } from 'zod';
import { counted } from '../../../core/text/counted.ts';
import type { sourceListOperation, sourceRemoveOperation } from '../../../operations/index/source.ts';
import type { Output } from '../terminal/output.ts';

type Sources = z.output<typeof sourceListOperation.output>;

/** What is read beside files, one line each. */
export function renderSources({ sources }: Sources, output: Output): void {
  if (sources.length === 0)
    output.note(
      'No conversations of agents are read. To read those of this project: quarry source add transcripts',
    );
  for (const { agent, title, everywhere, folder, sessions, bytes } of sources) {
    const size = `${counted(sessions, 'session')}, ${Math.max(1, Math.round(bytes / 1024)).toLocaleString('en')} kB`;
    output.result(
      `${agent.padEnd(8)}  ${title}: ${size} ${everywhere ? 'of all folders' : 'of this project'}, in ${folder}`,
    );
  }
}

/** What was named, and when it can be found. */
export function renderSourceAdded(result: Sources, output: Output): void {
  renderSources(result, output);
  output.note(
    'They are read with the next search, or now: quarry index. To find them alone: quarry search --type conversation …',
  );
  if (result.sources.some(({ everywhere, sessions }) => !everywhere && sessions === 0))
    output.note('Sessions that were held in other folders are read with --everywhere.');
}

/** What was taken back. */
export function renderSourceRemoved(
  result: z.output<typeof sourceRemoveOperation.output>,
  output: Output,
): void {
  const { removed, documents } = result;
  output.note(
    removed.length === 0
      ? 'None of them was read.'
      : `No longer read: ${removed.join(', ')}. ${counted(documents, 'session')} left the index.`,
  );
  renderSources(result, output);
}
