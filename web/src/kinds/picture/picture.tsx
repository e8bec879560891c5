import '../kinds.css';
import './picture.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAnswer } from '../../api/use-answer.ts';
import { plainly, plural } from '../../shell/words.ts';
import type { KindText } from '../kind-text.ts';
import type { DrawnPage } from './draw.ts';
import { drawPage, type Original, originalOf } from './original.ts';
import { type WordOnPage, wordsToMark } from './words.ts';

/** A page of a PDF, or a picture, as it looks, with what is said or asked marked on it. */
export function PicturePage({ project, path, pages, marks, words, onFailure }: KindText) {
  const { result: original, error } = useAnswer(() => originalOf(project, path), [project, path]);
  const [at, setAt] = useState(pages?.[0] ?? 1);
  const [drawn, setDrawn] = useState<{ page: number; is: DrawnPage }>();
  useEffect(() => {
    if (error) onFailure?.(error.message);
  }, [error]);
  useEffect(() => {
    if (!original) return;
    let isGone = false;
    drawPage(original, at).then(
      (is) => !isGone && setDrawn({ page: at, is }),
      (thrown: unknown) => !isGone && onFailure?.(thrown instanceof Error ? thrown.message : String(thrown)),
    );
    return () => {
      isGone = true;
    };
  }, [original, at]);
  const shown = drawn?.page === at ? drawn.is : undefined;
  const onPage = original && shown ? wordsOn(original, at, shown) : [];
  const found = wordsToMark(onPage, words, marks);
  // Of a place of several pages, the one that says it.
  const goesOn = shown && words !== undefined && words !== '' && !found.isSaid && at < (pages?.[1] ?? at);
  useEffect(() => {
    if (goesOn) setAt(at + 1);
  }, [goesOn]);
  const count = drawn?.is.pages ?? 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    // biome-ignore lint/a11y/useSemanticElements: a picture with its pages is no group of fields.
    <div class="code shown picture" tabIndex={0} role="group" aria-label={`Text of ${plainly(path)}`}>
      {count > 1 && (
        <p class="picture-pages">
          <button type="button" disabled={at <= 1} aria-label="Page before" onClick={() => setAt(at - 1)}>
            ‹
          </button>{' '}
          <span role="status">
            Page {at} of {count}
          </span>{' '}
          <button type="button" disabled={at >= count} aria-label="Page after" onClick={() => setAt(at + 1)}>
            ›
          </button>
        </p>
      )}
      {shown?.isPart && (
        <p class="quiet part">
          A picture on this page is not drawn, or not whole: it is broken or too large.
        </p>
      )}
      {shown ? (
        <Drawn
          key={at}
          drawn={shown}
          name={`${count > 1 ? `Page ${at} of ` : ''}${plainly(path)}, ${plural(found.words.length, 'word')} marked`}
          marked={found.words}
          isSaid={found.isSaid}
        />
      ) : (
        <p class="quiet">Drawing…</p>
      )}
    </div>
  );
}

/** The words of a page: those of the file, or those that were recognised in its picture. */
function wordsOn({ recognised }: Original, page: number, { words }: DrawnPage): readonly WordOnPage[] {
  return words.length > 0 ? words : recognised.filter((word) => word.page === page);
}

function Drawn({
  drawn: { bitmap },
  name,
  marked,
  isSaid,
}: {
  drawn: DrawnPage;
  name: string;
  marked: readonly WordOnPage[];
  isSaid: boolean;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    canvas.current?.getContext('2d')?.drawImage(bitmap, 0, 0);
  }, [bitmap]);
  return (
    <div class="picture-page">
      <canvas ref={canvas} width={bitmap.width} height={bitmap.height} role="img" aria-label={name} />
      {marked.map(({ left, top, width, height }, index) => (
        <span
          key={index}
          class={isSaid ? 'picture-mark said block' : 'picture-mark block is-lit'}
          style={{
            left: `${left / 10}%`,
            top: `${top / 10}%`,
            width: `${width / 10}%`,
            height: `${height / 10}%`,
          }}
        />
      ))}
    </div>
  );
}
