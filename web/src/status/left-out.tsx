import { useState } from 'preact/hooks';
import { perform, type ResultOf } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { LongList } from '../shell/long-list.tsx';
import { counted } from '../shell/words.ts';

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
      <div class="list-bar">
        <div class="segments" role="radiogroup" aria-label="What to list">
          {kinds.map((name) => (
            <label key={name}>
              <input type="radio" name="left-out" checked={name === kind} onChange={() => setChosen(name)} />
              <span>
                {name} {counted(counts[name])}
              </span>
            </label>
          ))}
        </div>
        <input
          type="search"
          aria-label="Filter the list"
          placeholder="Path or reason"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      <p class="quiet">
        {meanings[kind]}
        {wanted !== '' && `: ${counted(shown.length)} of ${counted(all[kind].length)}`}
      </p>
      <LongList
        entries={shown}
        render={({ path, reason, detail }) => (
          <>
            <span class="path">{path}</span>
            <span class="tag">{reason}</span>
            <span class="quiet detail">{detail}</span>
          </>
        )}
      />
    </section>
  );
}
