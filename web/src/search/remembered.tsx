import { noteQuietly, notes, questionsFile } from '../api/notes.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Confirm } from '../shell/confirm.tsx';
import { goTo, linkTo } from '../shell/route.ts';
import { counted, plainly } from '../shell/words.ts';
import { newChunks } from './fresh.ts';
import { shownForm } from './questions.ts';

/** Recent searches that are shown. */
const shownRecent = 8;

/** The searches that the reader saved, with what is new in them, and those made last; all of it can be forgotten. */
export function Remembered({ project }: { project: string }) {
  const { recent, saved, opened } = notes.value;
  const isKept = (asked: string): boolean => saved.some((other) => other.asked === asked);
  const others = recent.filter(({ asked }) => !isKept(asked)).slice(0, shownRecent);
  const open = (asked: string) =>
    goTo(linkTo(project, 'search', Object.fromEntries(new URLSearchParams(asked))));
  if (recent.length + saved.length + opened.length === 0) return null;
  return (
    <>
      {saved.length > 0 && (
        <>
          <h2>Saved searches</h2>
          <ul class="saved-searches">
            {saved.map(({ asked }) => (
              <li key={asked}>
                <button type="button" class="link" onClick={() => open(asked)}>
                  {plainly(shownForm(asked))}
                </button>{' '}
                <NewHits project={project} asked={asked} />
                <button
                  type="button"
                  class="icon"
                  aria-label={`Forget the saved search ${plainly(shownForm(asked))}`}
                  onClick={() => noteQuietly(project, { unsaved: asked })}
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {others.length > 0 && (
        <>
          <h2>Asked before</h2>
          <ul class="chips">
            {others.map(({ asked }) => (
              <li key={asked}>
                <button type="button" onClick={() => open(asked)}>
                  {plainly(shownForm(asked))}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="quiet forget">
        {questionsFile.value === undefined
          ? 'Remembered while this page is open.'
          : 'Remembered on this machine, for you alone.'}{' '}
        <Confirm
          name="Forget all of it: searches and opened hits"
          short="Forget all of it"
          sure="Forget it"
          onConfirm={() => noteQuietly(project, { forgotten: 'searches' })}
        />
      </p>
    </>
  );
}

function NewHits({ project, asked }: { project: string; asked: string }) {
  const { result } = useAnswer(() => newChunks(project, asked), [project, asked]);
  if (!result) return null;
  if (result.length === 0) return <span class="quiet">nothing new</span>;
  return <b class="is-new">{counted(result.length)} new</b>;
}
