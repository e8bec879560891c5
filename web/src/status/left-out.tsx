import { useState } from 'preact/hooks';
import { skipMeaning } from '../../../src/core/skipped-paths.ts';
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
const names: Readonly<Record<Kind, string>> = {
  failed: 'Not readable',
  degraded: 'Read in part',
  refused: 'Words only',
  skipped: 'Left out',
};
const meanings: Readonly<Record<Kind, string>> = {
  failed: 'Meant to be searched, and could not be read',
  degraded: 'A part of them could not be read',
  refused: 'Found by their words and not by their meaning: the model did not accept the text',
  skipped: 'Left out on purpose, by a rule or a setting',
};

/** What a reader may do about a path that was left out. */
function remedyFor(kind: Kind, reason: string): string {
  const { remedy } = kind === 'skipped' || kind === 'failed' ? skipMeaning(reason) : {};
  return remedy === undefined ? '' : `. ${remedy}`;
}

/** Everything that is not in the index as it should be, each with its reason. */
export function LeftOut({ project, status }: { project: string; status: Status }) {
  const [chosen, setChosen] = useState<Kind>();
  const [filter, setFilter] = useState('');
  // What could not be read is left out too, and yet nobody wanted that.
  const unread = Object.entries(status.skipped_reasons)
    .filter(([reason]) => skipMeaning(reason).isFailure)
    .reduce((sum, [, count]) => sum + count, 0);
  const counts: Readonly<Record<Kind, number>> = {
    failed: status.failed.length + unread,
    degraded: status.degraded.length,
    refused: status.refused_count,
    skipped: status.skipped_count - unread,
  };
  const kind = chosen ?? kinds.find((name) => counts[name] > 0) ?? 'skipped';
  // The list of skipped paths may be long: it is asked for when it is looked at.
  const skipped = useAnswer(
    async () =>
      kind === 'skipped' || (kind === 'failed' && unread > 0)
        ? perform(project, 'status', { skipped: true, compare: false })
        : undefined,
    [project, kind, status.skipped_count, unread],
  );
  const skippedBy = (isFailure: boolean): readonly Noted[] =>
    (skipped.result?.skipped ?? []).filter(({ reason }) => skipMeaning(reason).isFailure === isFailure);
  const all: Readonly<Record<Kind, readonly Noted[]>> = {
    failed: [...status.failed, ...skippedBy(true)],
    degraded: status.degraded,
    refused: status.refused.map(({ citation, reason, embedder }) => ({
      path: citation,
      reason,
      detail: embedder,
    })),
    skipped: skippedBy(false),
  };
  const wanted = filter.trim().toLowerCase();
  const shown = all[kind].filter(({ path, reason, detail }) =>
    `${path}\n${reason}\n${detail}`.toLowerCase().includes(wanted),
  );
  return (
    <section class="left-out">
      <h2>What cannot be found, and why</h2>
      <ListBar
        label="What to list"
        counts={kinds.map((name) => [name, counts[name]] as const)}
        names={names}
        kind={kind}
        onKind={setChosen}
        filterLabel="Filter the list"
        hint="Path or reason"
        filter={filter}
        onFilter={setFilter}
      />
      <p class="quiet">
        {meanings[kind]}
        {wanted === '' && counts[kind] === 0 && ': nothing'}
        {wanted !== '' && `: ${counted(shown.length)} of ${counted(all[kind].length)}`}.
      </p>
      <LongList
        entries={shown}
        render={({ path, reason, detail }) => (
          <>
            <span class="path">{plainly(path)}</span>
            <span class="tag">{skipMeaning(reason).meaning}</span>
            <span class="quiet detail">
              {plainly(detail)}
              {remedyFor(kind, reason)}
            </span>
          </>
        )}
      />
    </section>
  );
}
