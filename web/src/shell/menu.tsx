import { useRef } from 'preact/hooks';
import { nameOf, projects } from '../api/projects.ts';
import { hasToken, signOut } from '../api/session.ts';
import { Logo } from './logo.tsx';
import { paletteIsOpen } from './palette-open.ts';
import { goTo, linkTo, route, type View } from './route.ts';
import { switchTheme, theme } from './theme.ts';
import { useCentred } from './use-centred.ts';
import { plainly } from './words.ts';

/** The views that the menu leads to, each with its letter after `g`. */
export const menu: readonly { readonly view: View; readonly name: string; readonly letter: string }[] = [
  { view: 'search', name: 'Search', letter: 's' },
  { view: 'ask', name: 'Ask', letter: 'a' },
  { view: 'map', name: 'Map', letter: 'm' },
  { view: 'status', name: 'Status', letter: 't' },
  { view: 'reports', name: 'Evaluation', letter: 'v' },
  { view: 'settings', name: 'Settings', letter: 'e' },
  { view: 'projects', name: 'Projects', letter: 'p' },
];

const themeNames = { auto: 'as the system', light: 'light', dark: 'dark' };
const themeSigns = { auto: '◐', light: '☀', dark: '☾' };

/** The bar with the project, the views, and the theme. */
export function Menu() {
  const { project, view, isUnknown } = route.value;
  const views = useRef<HTMLElement>(null);
  // A narrow screen shows some of the views: among them the current one.
  useCentred(views, '[aria-current]', view);
  return (
    <header class="bar">
      <a class="brand" href={linkTo(project, 'search')} aria-label="Quarry, to the search">
        <Logo />
        <span>Quarry</span>
      </a>
      {projects.value?.length !== 0 && (
        <label class="project">
          <span class="unseen">Project</span>
          <select
            value={project ?? ''}
            onChange={(event) => goTo(linkTo(event.currentTarget.value, view))}
            disabled={!projects.value}
          >
            {projects.value?.map((known) => (
              <option key={known.id} value={known.id}>
                {plainly(nameOf(known))}
              </option>
            ))}
          </select>
        </label>
      )}
      <nav ref={views} aria-label="Views">
        {menu.map(({ view: target, name }) => (
          <a
            key={target}
            href={linkTo(project, target)}
            aria-current={target === view && !isUnknown ? 'page' : undefined}
            data-name={name}
          >
            {name}
          </a>
        ))}
      </nav>
      <div class="bar-end">
        <button
          type="button"
          class="icon"
          onClick={switchTheme}
          aria-label={`Theme: ${themeNames[theme.value]}. Switch`}
          title={`Theme: ${themeNames[theme.value]}`}
        >
          {themeSigns[theme.value]}
        </button>
        <button
          type="button"
          class="icon"
          onClick={() => {
            paletteIsOpen.value = true;
          }}
          aria-label="Actions and keys"
          title="Actions and keys (? or Ctrl+K)"
        >
          ?
        </button>
        {hasToken() && (
          <button type="button" class="leave" onClick={signOut}>
            Sign out
          </button>
        )}
      </div>
    </header>
  );
}
