import { notes } from '../api/notes.ts';
import { nameOf, projects } from '../api/projects.ts';
import { hasToken, signOut } from '../api/session.ts';
import { shownForm } from '../search/questions.ts';
import { menu } from './menu.tsx';
import { goTo, linkTo, route } from './route.ts';
import { switchTheme } from './theme.ts';
import { plainly } from './words.ts';

/** Something that the reader can do now. */
export interface Action {
  readonly name: string;
  /** The keys that do it without the list; empty where there are none. */
  readonly keys: string;
  act(): void;
}

/** What can be done with the hit that is chosen, as the keys of the list do it, and what of its pane offers it. */
const ofHit: readonly (readonly [key: string, name: string, offer: string])[] = [
  ['Enter', 'Read the hit; Esc leads back', '.pane'],
  ['w', 'Why the hit has its rank', '.pane-tools [title="w"]'],
  ['m', 'More of the text around the hit', '.pane-tools [title="m"]'],
  ['i', 'Outline of the file', '.pane-tools [title="i"]'],
  ['r', 'Who calls it, and what it calls', '.pane-tools [title="r"]'],
  ['l', 'Last commits of the file', '.pane-tools [title="l"]'],
  ['y', 'This was it', '.was-it'],
  ['n', 'This was not it', '.was-it'],
  ['c', 'Copy the hit', '.pane'],
  ['o', 'Open the hit in the editor', '.pane-tools a.button'],
];

/** Searches of before that are listed. */
const maxSearches = 20;

/** All that can be done where the reader is: with the hit first, then where one can go. */
export function actionsNow(): Action[] {
  const { project, view } = route.value;
  const hit = document.querySelector<HTMLElement>('.hit[aria-current="true"]');
  const offered = ofHit.filter(([, , offer]) => document.querySelector(offer));
  const query = document.querySelector<HTMLInputElement>('[data-keys="query"]');
  const press = (on: HTMLElement, key: string, ctrlKey = false): void => {
    on.focus();
    on.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }));
  };
  const { saved, recent } = notes.value;
  const searches = new Set([...saved, ...recent].map(({ asked }) => asked));
  return [
    ...(hit ? offered.map(([key, name]) => ({ name, keys: key, act: () => press(hit, key) })) : []),
    ...(query?.value.trim()
      ? [
          {
            name: 'Ask this: an answer with its sources',
            keys: 'Ctrl+Enter',
            act: () => press(query, 'Enter', true),
          },
        ]
      : []),
    { name: 'Type a query', keys: '/', act: () => toQuery(project) },
    ...menu.map(({ view: target, name, letter }) => ({
      name: `Go to ${name}`,
      keys: `g ${letter}`,
      act: () => goTo(linkTo(project, target)),
    })),
    ...(projects.value ?? [])
      .filter(({ id }) => id !== project)
      .map((known) => ({
        name: `Project ${plainly(nameOf(known))}`,
        keys: '',
        act: () => goTo(linkTo(known.id, view)),
      })),
    ...[...searches].slice(0, maxSearches).map((asked) => ({
      name: `Search again: ${plainly(shownForm(asked))}`,
      keys: '',
      act: () => goTo(linkTo(project, 'search', Object.fromEntries(new URLSearchParams(asked)))),
    })),
    { name: 'Light, dark, or as the system', keys: '', act: switchTheme },
    ...(hasToken() ? [{ name: 'Sign out', keys: '', act: () => void signOut() }] : []),
  ];
}

/** Those that have all words of what was typed, those whose name begins with it first. */
export function actionsFor(actions: readonly Action[], typed: string): Action[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const begins = ({ name }: Action): boolean => name.toLowerCase().startsWith(words.join(' '));
  const fitting = actions.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  return [...fitting.filter(begins), ...fitting.filter((action) => !begins(action))];
}

/** Leads to the field of the query. */
export function toQuery(project: string | undefined): void {
  if (route.value.view !== 'search') goTo(linkTo(project, 'search'));
  document.querySelector<HTMLInputElement>('[data-keys="query"]')?.select();
}
