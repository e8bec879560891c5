import './palette.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Action, actionsFor, actionsNow } from './actions.ts';
import { paletteIsOpen } from './palette-open.ts';
import { goTo, linkTo, route } from './route.ts';

/** What tells a screen reader that the field chooses from the list below it: no `list`, which types of the element want for the role. */
function fieldOf(chosen: string | undefined): object {
  return {
    role: 'combobox',
    'aria-label': 'Action',
    'aria-expanded': true,
    'aria-controls': 'palette-actions',
    'aria-activedescendant': chosen,
    'aria-autocomplete': 'list',
  };
}

/** All that can be done where the reader is, each with its keys: typed words narrow it down, Enter does the chosen one. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const [known, setKnown] = useState<readonly Action[]>([]);
  const isOpen = paletteIsOpen.value;
  useEffect(() => {
    if (!isOpen) return dialog.current?.close();
    setTyped('');
    setChosen(0);
    setKnown(actionsNow());
    dialog.current?.showModal();
  }, [isOpen]);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen, typed]);
  const searched: Action = {
    name: `Search for “${typed.trim()}”`,
    keys: '',
    act: () => goTo(linkTo(route.value.project, 'search', { query: typed.trim() })),
  };
  const shown = typed.trim() === '' ? known : [...actionsFor(known, typed), searched];
  const perform = (action: Action | undefined): void => {
    if (!action) return;
    // Closing gives the focus back to where it was; what is done may then move it.
    dialog.current?.close();
    action.act();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((chosen + step + shown.length) % shown.length);
    else if (event.key === 'Enter' && !event.isComposing) perform(shown[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-labelledby="palette-title"
      onClose={() => {
        paletteIsOpen.value = false;
      }}
    >
      <h2 id="palette-title">Actions and keys</h2>
      <input
        type="search"
        {...fieldOf(shown.length > 0 ? `palette-${chosen}` : undefined)}
        placeholder="What do you want to do?"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <div id="palette-actions" class="actions-list" role="listbox" aria-label="Actions">
        {shown.map((action, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys go to the field, which names the chosen one.
          // biome-ignore lint/a11y/useFocusableInteractive: the same.
          <div
            key={`${index} ${action.name}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => perform(action)}
          >
            {action.name}
            {action.keys !== '' && <kbd>{action.keys}</kbd>}
          </div>
        ))}
      </div>
      <p class="quiet small">
        In the list <kbd>↓</kbd> <kbd>↑</kbd> or <kbd>j</kbd> <kbd>k</kbd>; <kbd>a</kbd> asks. On the map the
        arrows, <kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd>, and <kbd>Enter</kbd> for the chunk in its middle. This
        list: <kbd>?</kbd> or <kbd>Ctrl+K</kbd>.
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
