import { useEffect, useRef } from 'preact/hooks';
import { perform } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { CodeText } from '../code/code-text.tsx';
import { editorLink } from '../search/editor.ts';
import { Problem } from '../shell/problem.tsx';
import type { AnswerSource } from './ask-view.tsx';

/** Lines shown before and after the passage. */
const around = 12;

/** The passage that a sentence rests on, set off within its file. */
export function SourceDialog({
  project,
  source,
  onClose,
}: {
  project: string;
  source: AnswerSource | undefined;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (source) dialog.current?.showModal();
    else dialog.current?.close();
  }, [source]);
  return (
    <dialog ref={dialog} class="source" aria-labelledby="source-title" onClose={onClose}>
      <header class="view-head">
        <h2 id="source-title">{source?.citation ?? 'Source'}</h2>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </header>
      {source && <Passage key={source.citation} project={project} source={source} />}
    </dialog>
  );
}

function Passage({ project, source }: { project: string; source: AnswerSource }) {
  const { path, lines } = source;
  const { result, error } = useAnswer(
    () =>
      perform(project, 'read', {
        path,
        ...(lines && { lines: `${Math.max(1, lines[0] - around)}-${lines[1] + around}` }),
        update: false,
      }),
    [project, source],
  );
  const editor = editorLink(project, path, lines?.[0]);
  if (error) return <Problem error={error} />;
  if (!result) return <p class="quiet">Reading…</p>;
  return (
    <>
      <CodeText path={path} text={result.text} firstLine={result.lines?.[0]} lit={lines} />
      {editor !== undefined && (
        <a class="button" href={editor}>
          Open
        </a>
      )}
    </>
  );
}
