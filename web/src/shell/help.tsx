import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** Whether the list of keys is shown. */
export const helpIsOpen = signal(false);

const keys: readonly (readonly [string, string])[] = [
  ['/', 'search'],
  ['↓ ↑ or j k', 'next, previous hit'],
  ['Enter', 'into the text of a hit; Esc leads back'],
  ['w', 'why a hit has its rank'],
  ['y, n', 'this was it; this was not'],
  ['m', 'more of the text around a hit'],
  ['i, r', 'the outline of its file; who calls it, and what it calls'],
  ['a, or Ctrl+Enter in the query', 'ask this: an answer with its sources'],
  ['c', 'copy a hit'],
  ['o', 'open a hit in the editor'],
  ['Esc', 'back to the query'],
  ['g, a letter', 'a view: search, ask, map, status (t), evaluation (v), settings (e), projects'],
  ['← ↑ ↓ → + - 0', 'move and enlarge the map; Enter opens the chunk in its middle'],
  ['?', 'this list'],
];

/** The list of keys. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (helpIsOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [helpIsOpen.value]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="help-title"
      onClose={() => {
        helpIsOpen.value = false;
      }}
    >
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button class="primary" type="submit">
          Close
        </button>
      </form>
    </dialog>
  );
}
