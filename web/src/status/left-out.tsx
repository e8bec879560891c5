import { useState } from 'preact/hooks';
import { perform, type ResultOf } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ListBar } from '../shell/list-bar.tsx';
import { LongList } from '../shell/long-list.tsx';
import { counted, plainly } from '../shell/words.ts';

type Status = ResultOf<'status'>;
interface Noted {
  readonly path: string;
  readonly reason: string;
  readonly detail: string;
}

const kinds = ['failed', 'degraded', 'refused', 'skipped'] as const;
type Kind = (typeof kinds)[number];
const meanings: Readonly<Record<Kind, string>> = {
  failed: 'could not be read',
  degraded: 'read, with a part missing',
  refused: 'without a vector: the model refused the text',
  skipped: 'left out by a rule',
};

/** Everything that is not in the index as it should be, each with its reason. */
export function LeftOut({ project, status }: { project: string; status: Status }) {
  const [chosen, setChosen] = useState<Kind>();
  const [filter, setFilter] = useState('');
  const counts: Readonly<Record<Kind, number>> = {
    failed: status.failed.length,
    degraded: status.degraded.length,
    refused: status.refused_count,
    skipped: status.skipped_count,
  };
  const kind = chosen ?? kinds.find((name) => counts[name] > 0) ?? 'skipped';
  // The list of skipped paths may be long: it is asked for when it is looked at.
  const skipped = useAnswer(
    async () =>
      kind === 'skipped' ? perform(project, 'status', { skipped: true, compare: false }) : undefined,
    [project, kind, status.skipped_count],
  );
  const all: Readonly<Record<Kind, readonly Noted[]>> = {
    failed: status.failed,
    degraded: status.degraded,
    refused: status.refused.map(({ citation, reason, embedder }) => ({
      path: citation,
      reason,
      detail: embedder,
    })),
    skipped: skipped.result?.skipped ?? [],
  };
  const wanted = filter.trim().toLowerCase();
  const shown = all[kind].filter(({ path, reason, detail }) =>
    `${path}\n${reason}\n${detail}`.toLowerCase().includes(wanted),
  );
  return (
    <section class="left-out">
      <h2>Not in the index, or not as it should be</h2>
      <ListBar
        label="What to list"
        counts={kinds.map((name) => [name, counts[name]] as const)}
        kind={kind}
        onKind={setChosen}
        filterLabel="Filter the list"
        hint="Path or reason"
        filter={filter}
        onFilter={setFilter}
      />
      <p class="quiet">
        {meanings[kind]}
        {wanted === '' && counts[kind] === 0 && ': none'}
        {wanted !== '' && `: ${counted(shown.length)} of ${counted(all[kind].length)}`}
      </p>
      <LongList
        entries={shown}
        render={({ path, reason, detail }) => (
          <>
            <span class="path">{plainly(path)}</span>
            <span class="tag">{reason}</span>
            <span class="quiet detail">{plainly(detail)}</span>
          </>
        )}
      />
    </section>
  );
}
