import { noteQuietly, notes } from '../api/notes.ts';
import { saveSearch } from './fresh.ts';
import { question } from './query-state.ts';
import { keptForm } from './questions.ts';

/** Keeps the search, so that the page says what is new in it. */
export function SaveSearch({ project }: { project: string }) {
  const asked = keptForm(question.value);
  const isSaved = notes.value.saved.some((each) => each.asked === asked);
  const change = () => {
    if (isSaved) noteQuietly(project, { unsaved: asked });
    // Without an answer there is nothing to compare with later.
    else saveSearch(project, question.value).catch(() => undefined);
  };
  return (
    <button
      type="button"
      class="link"
      aria-label={isSaved ? 'Saved' : 'Save this search'}
      title="A saved search says what is new in it"
      aria-pressed={isSaved}
      onClick={change}
    >
      {isSaved ? '★ Saved' : '☆ Save'}
    </button>
  );
}
