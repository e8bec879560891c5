import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { stayAwake } from '../api/engine-state.ts';
import { loadProjects, nameOf, projects } from '../api/projects.ts';
import { asError, isLost, refusal } from '../api/session.ts';
import { SearchView } from '../search/search-view.tsx';
import { Activity } from './activity.tsx';
import { followDrops } from './drop.ts';
import { Entrance } from './entrance.tsx';
import { followKeys } from './keys.ts';
import { Lost } from './lost.tsx';
import { Menu, menu } from './menu.tsx';
import { paletteIsOpen } from './palette-open.ts';
import { Problem } from './problem.tsx';
import { goTo, linkTo, readAddress, route, type View } from './route.ts';
import { plainly } from './words.ts';

/** Views besides search, loaded when they are opened. */
const lazyViews: Partial<Record<View, () => Promise<ComponentType<{ project: string }>>>> = {
  ask: async () => (await import('../ask/ask-view.tsx')).AskView,
  map: async () => (await import('../map/map-view.tsx')).MapView,
  status: async () => (await import('../status/status-view.tsx')).StatusView,
  reports: async () => (await import('../reports/reports-view.tsx')).ReportsView,
  settings: async () => (await import('../settings/settings-view.tsx')).SettingsView,
  projects: async () => (await import('../projects/projects-view.tsx')).ProjectsView,
};

/** Begins to load a view, which is then there sooner. */
export function loadView(view: View): void {
  // That it fails is said when the view is opened.
  lazyViews[view]?.().catch(() => undefined);
}

/** The page: its menu and the view that the address names. */
export function App() {
  const [failure, setFailure] = useState<unknown>();
  /** How often the server was found again: the view then begins again. */
  const [found, setFound] = useState(0);
  useEffect(() => {
    if (!refusal.value) loadProjects().catch(setFailure);
  }, [refusal.value]);
  useEffect(() => setFailure(undefined), [projects.value]);
  useEffect(followKeys, []);
  useEffect(followDrops, []);
  useEffect(stayAwake, []);
  const { project, view, isUnknown } = route.value;
  const isKnown = projects.value?.some(({ id }) => id === project);
  // It may have been opened since the list was read.
  useEffect(() => {
    if (isKnown === false && project !== undefined) loadProjects().catch(setFailure);
  }, [project]);
  useEffect(() => {
    const [first] = projects.value ?? [];
    if (project === undefined && first) goTo(linkTo(first.id, view), { replace: true });
  }, [projects.value, project, view]);
  useEffect(() => {
    if (isKnown) readAddress();
  }, [projects.value, route.value]);
  useEffect(() => {
    const known = projects.value?.find(({ id }) => id === project);
    const name = menu.find((entry) => entry.view === view)?.name;
    document.title = [name, known && plainly(nameOf(known)), 'Quarry'].filter(Boolean).join(' · ');
  }, [projects.value, project, view]);
  // Who asks may be another to the server that came back: what each project shows follows from the list.
  const beginAgain = () => {
    setFound((times) => times + 1);
    loadProjects().catch(setFailure);
  };
  if (refusal.value) return <Entrance error={refusal.value} />;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <Menu />
      {project !== undefined && isKnown && view !== 'status' && <Activity key={project} project={project} />}
      {isLost.value && <Lost onFound={beginAgain} />}
      <main id="main" tabIndex={-1} class={`view view-${view}`}>
        {failure !== undefined && <Problem error={asError(failure)} retry={() => location.reload()} />}
        {!projects.value && failure === undefined && <p class="quiet late">Connecting…</p>}
        {projects.value?.length === 0 && view !== 'projects' && <NoProjects />}
        {projects.value?.length === 0 && view === 'projects' && <ViewOf view={view} project="" />}
        {project !== undefined && isKnown && isUnknown && <UnknownView project={project} />}
        {project !== undefined && isKnown && !isUnknown && (
          <ViewOf key={`${project} ${found}`} view={view} project={project} />
        )}
        {project !== undefined && isKnown === false && projects.value?.length !== 0 && (
          <UnknownProject view={view} />
        )}
      </main>
      <PaletteSlot />
    </>
  );
}

/** Where the list of actions is shown; it is loaded with the first wish for it. */
function PaletteSlot() {
  const [loaded, setLoaded] = useState<{ Component: ComponentType }>();
  const isWanted = paletteIsOpen.value;
  useEffect(() => {
    if (!isWanted || loaded) return;
    // What cannot be loaded is missing because the server is gone, which the page says.
    import('./palette.tsx').then(
      ({ Palette }) => setLoaded({ Component: Palette }),
      () => {
        paletteIsOpen.value = false;
      },
    );
  }, [isWanted]);
  return loaded ? <loaded.Component /> : null;
}

function ViewOf({ view, project }: { view: View; project: string }) {
  const [loaded, setLoaded] = useState<{ view: View; Component: ComponentType<{ project: string }> }>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    setFailure(undefined);
    lazyViews[view]?.().then((Component) => setLoaded({ view, Component }), setFailure);
  }, [view]);
  if (view === 'search') return <SearchView project={project} />;
  // The code of a view cannot be loaded from a server that is gone; it is loaded when that is back.
  if (failure !== undefined) return isLost.value ? null : <Problem error={asError(failure)} />;
  return loaded?.view === view ? <loaded.Component project={project} /> : <p class="quiet">Loading…</p>;
}

/** For an address of a project that the server has not: one that was not registered ends with the engine. */
function UnknownProject({ view }: { view: View }) {
  return (
    <section class="empty">
      <h1>This project is not open here</h1>
      <p>
        Run <code>quarry ui</code> in its folder to open it again, or go to another one.
      </p>
      <ul class="chips">
        {projects.value?.map((known) => (
          <li key={known.id}>
            <a class="button" href={linkTo(known.id, view)}>
              {plainly(nameOf(known))}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** For an address that names no view: a link that was cut, or of another version. */
function UnknownView({ project }: { project: string }) {
  return (
    <section class="empty">
      <h1>There is nothing at this address</h1>
      <p>It may have been cut when it was copied, or come from another version of Quarry.</p>
      <ul class="chips">
        {menu.map(({ view, name }) => (
          <li key={view}>
            <a class="button" href={linkTo(project, view)}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoProjects() {
  return (
    <section class="empty">
      <h1>No project yet</h1>
      <p>Quarry finds, reads and answers from the files of a folder, on this machine.</p>
      <a class="button primary" href={linkTo(undefined, 'projects')}>
        Add a folder
      </a>
      <p class="quiet">
        Or drop one anywhere on this page, or run <code>quarry ui</code> in it.
      </p>
    </section>
  );
}
