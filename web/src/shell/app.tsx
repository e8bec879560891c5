import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadProjects, projects } from '../api/projects.ts';
import { asError, refusal } from '../api/session.ts';
import { SearchView } from '../search/search-view.tsx';
import { Entrance } from './entrance.tsx';
import { Help } from './help.tsx';
import { followKeys } from './keys.ts';
import { Menu } from './menu.tsx';
import { Problem } from './problem.tsx';
import { goTo, linkTo, route, type View } from './route.ts';

/** Views besides search, loaded when they are opened. */
const lazyViews: Partial<Record<View, () => Promise<ComponentType<{ project: string }>>>> = {
  ask: async () => (await import('../ask/ask-view.tsx')).AskView,
  map: async () => (await import('../map/map-view.tsx')).MapView,
  status: async () => (await import('../status/status-view.tsx')).StatusView,
  reports: async () => (await import('../reports/reports-view.tsx')).ReportsView,
  settings: async () => (await import('../settings/settings-view.tsx')).SettingsView,
  projects: async () => (await import('../projects/projects-view.tsx')).ProjectsView,
};

/** The page: its menu and the view that the address names. */
export function App() {
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    if (!refusal.value) loadProjects().then(() => setFailure(undefined), setFailure);
  }, [refusal.value]);
  useEffect(followKeys, []);
  useEffect(() => {
    const [first] = projects.value ?? [];
    if (route.value.project === undefined && first)
      goTo(linkTo(first.id, route.value.view), { replace: true });
  }, [projects.value, route.value]);
  if (refusal.value) return <Entrance error={refusal.value} />;
  const { project, view } = route.value;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <Menu />
      <main id="main" tabIndex={-1} class={`view view-${view}`}>
        {failure !== undefined && <Problem error={asError(failure)} retry={() => location.reload()} />}
        {projects.value?.length === 0 && <NoProjects />}
        {project !== undefined && projects.value && <ViewOf key={project} view={view} project={project} />}
      </main>
      <Help />
    </>
  );
}

function ViewOf({ view, project }: { view: View; project: string }) {
  const [loaded, setLoaded] = useState<{ view: View; Component: ComponentType<{ project: string }> }>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    setFailure(undefined);
    lazyViews[view]?.().then((Component) => setLoaded({ view, Component }), setFailure);
  }, [view]);
  if (view === 'search') return <SearchView project={project} />;
  if (failure !== undefined) return <Problem error={asError(failure)} />;
  return loaded?.view === view ? <loaded.Component project={project} /> : <p class="quiet">Loading…</p>;
}

function NoProjects() {
  return (
    <section class="empty">
      <h1>No project yet</h1>
      <p>
        Run <code>quarry ui</code> in a folder to open it here.
      </p>
    </section>
  );
}
