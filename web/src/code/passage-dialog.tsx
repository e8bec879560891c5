import './passage.css';
import { useEffect, useRef } from 'preact/hooks';
import { perform } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Problem } from '../shell/problem.tsx';
import { plainly } from '../shell/words.ts';
import { CodeText } from './code-text.tsx';
import { editorLink } from './editor.ts';
import { marksFor } from './marks.ts';
import { findSentence } from './sentence.ts';

/** Lines shown before and after the passage. */
const around = 12;
/** Tokens that are read of a whole file. */
const maxTokens = 20_000;

/** A stretch of a file, or all of it. */
export interface Passage {
  readonly citation: string;
  readonly path: string;
  readonly lines?: readonly [number, number] | undefined;
  /** What is said of it, whose words are marked in it. */
  readonly words?: string;
}

/** Where a passage and what it is opened from fit beside each other. */
const isWide = '(min-width: 1001px)';

/** A passage, set off within its file: above what it is opened from, or beside it. */
export function PassageDialog({
  project,
  passage,
  onClose,
  isBeside = false,
}: {
  project: string;
  passage: Passage | undefined;
  onClose: () => void;
  /** Whether it stays beside what it is opened from, where there is room, and another one takes its place. */
  isBeside?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!passage) dialog.current?.close();
    else if (dialog.current?.open) return;
    else if (isBeside && matchMedia(isWide).matches) dialog.current?.show();
    else dialog.current?.showModal();
  }, [passage]);
  return (
    <dialog
      ref={dialog}
      class="passage"
      aria-labelledby="passage-title"
      onClose={onClose}
      onKeyDown={({ key }) => key === 'Escape' && dialog.current?.close()}
    >
      <header class="view-head">
        <h2 id="passage-title">{plainly(passage?.citation ?? 'Source')}</h2>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </header>
      {passage && <Text key={`${passage.citation} ${passage.words}`} project={project} passage={passage} />}
    </dialog>
  );
}

function Text({ project, passage }: { project: string; passage: Passage }) {
  const { path, lines } = passage;
  const { result, error } = useAnswer(
    () =>
      perform(project, 'read', {
        path,
        ...(lines
          ? { lines: `${Math.max(1, lines[0] - around)}-${lines[1] + around}` }
          : { max_tokens: maxTokens }),
        update: false,
      }),
    [project, passage],
  );
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const show = () => showPassage(text.current);
    show();
    addEventListener('resize', show);
    return () => removeEventListener('resize', show);
  }, [result]);
  const editor = editorLink(project, path, lines?.[0]);
  if (error) return <Problem error={error} />;
  if (!result) return <p class="quiet">Reading…</p>;
  return (
    <>
      <div ref={text}>
        <CodeText
          path={path}
          text={result.text}
          firstLine={result.lines?.[0]}
          lit={lines}
          said={passage.words ? findSentence(result.text, passage.words) : undefined}
          marks={marksFor(passage.words ?? '', '')}
        />
      </div>
      {result.is_cut && <p class="quiet">The rest of it is too long to be shown here.</p>}
      {editor !== undefined && (
        <a class="button" href={editor}>
          Open in your editor
        </a>
      )}
    </>
  );
}

/** Scrolls to the line of the passage that has most of the marked words: a passage may be longer than the screen. */
function showPassage(text: HTMLElement | null): void {
  const said = text?.querySelector('.said');
  if (said) {
    said.scrollIntoView({ block: 'center' });
    return;
  }
  const lines = [...(text?.querySelectorAll('.is-lit') ?? [])];
  const words = (line: Element) =>
    new Set([...line.querySelectorAll('mark')].map(({ textContent }) => textContent?.toLowerCase())).size;
  const max = Math.max(...lines.map(words));
  const best = lines.findIndex((line) => words(line) === max);
  lines[best]?.scrollIntoView({ block: best === 0 ? 'start' : 'center' });
}
