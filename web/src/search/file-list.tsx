import './file-list.css';
import { useState } from 'preact/hooks';
import { runningIndex } from '../api/jobs.ts';
import { perform } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { type Passage, PassageDialog } from '../code/passage-dialog.tsx';
import { PathName } from '../shell/path-name.tsx';
import { Problem } from '../shell/problem.tsx';
import { VirtualList } from '../shell/virtual-list.tsx';
import { ago, bytes, plainly, plural } from '../shell/words.ts';
import { filterFor, type Question } from './questions.ts';

const rowHeight = 40;

/** The files that pass the filters, where nothing else is asked. */
export function FileList({ project, asked }: { project: string; asked: Question }) {
  const filter = filterFor(asked);
  const [opened, setOpened] = useState<Passage>();
  const { result, error } = useAnswer(
    () => perform(project, 'manifest', filter),
    [project, JSON.stringify(filter), runningIndex.value?.id],
  );
  if (error) return <Problem error={error} />;
  if (!result) return <p class="quiet">Listing…</p>;
  const count = result.entries.length;
  return (
    <section aria-label="Files">
      <p role="status" class="summary">
        {count === 0
          ? 'No file passes the filters.'
          : `${plural(count, 'file')} ${count === 1 ? 'passes' : 'pass'} the filters. Type a query to search in ${count === 1 ? 'it' : 'them'}.`}
      </p>
      <VirtualList
        entries={result.entries}
        rowHeight={rowHeight}
        render={({ path, bytes: size, modified_at, chunk_count }) => (
          <>
            <button
              type="button"
              class="link path"
              title={plainly(path)}
              onClick={() => setOpened({ citation: path, path })}
            >
              <PathName path={path} />
            </button>
            <span class="quiet number">{plural(chunk_count, 'chunk')}</span>
            <span class="quiet number">{bytes(size)}</span>
            <span class="quiet number">{modified_at === undefined ? '' : ago(modified_at)}</span>
          </>
        )}
      />
      <PassageDialog project={project} passage={opened} onClose={() => setOpened(undefined)} />
    </section>
  );
}
