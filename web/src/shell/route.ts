import { computed, signal } from '@preact/signals';
import { addressName, idNamed } from '../api/projects.ts';

/** The views of the page, in the order of the menu. */
export const views = ['search', 'ask', 'map', 'status', 'reports', 'settings', 'projects'] as const;
export type View = (typeof views)[number];

/** What the address says: which view of which project, with what. */
export interface Route {
  readonly project: string | undefined;
  readonly view: View;
  /** Whether the address names a view that there is not. */
  readonly isUnknown: boolean;
  readonly words: URLSearchParams;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  // A link of `quarry ui` that is put into the address of an open page: it is followed as in a new one.
  if (location.hash.startsWith('#key=')) location.reload();
  else hash.value = location.hash;
});

/**
 * The current route. It is behind the hash of the address, as everything the reader types: a browser sends that to no
 * server, so no log has it.
 */
export const route = computed<Route>(() => {
  const [path = '', words = ''] = hash.value.replace(/^#/, '').split('?', 2);
  const [, project = '', view = ''] = path.split('/');
  return {
    project: project === '' ? undefined : idNamed(decode(project)),
    view: views.find((name) => name === view) ?? 'search',
    isUnknown: view !== '' && !views.some((name) => name === view),
    words: new URLSearchParams(words),
  };
});

/** The address of a view. */
export function linkTo(project: string | undefined, view: View, words?: Record<string, string>): string {
  // Behind the hash these need no other form, and a person can read them.
  const query = new URLSearchParams(words).toString().replace(/%(?:2F|3A|2C|40)/g, decodeURIComponent);
  const name = project === undefined ? '' : encodeURIComponent(addressName(project));
  return `#/${name}/${view}${query === '' ? '' : `?${query}`}`;
}

/** Goes to an address; in place of the current one where the reader would not want to come back to it. */
export function goTo(address: string, { replace = false } = {}): void {
  // The reader has gone elsewhere, and the event comes later: that is not to be replaced.
  if (replace && location.hash !== hash.value) return;
  if (replace) history.replaceState(null, '', address);
  else location.hash = address;
  // The event comes later, and until then the page would go on with what it has left.
  hash.value = location.hash;
}

/** Names the project in the address as a person does, where a link had its id. */
export function readAddress(): void {
  const { project, view, words } = route.value;
  const [, given = ''] = location.hash.split('/');
  if (project === undefined || decode(given) === addressName(project) || route.value.isUnknown) return;
  goTo(linkTo(project, view, Object.fromEntries(words)), { replace: true });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A "%" that stands for no character is one.
    return text;
  }
}
