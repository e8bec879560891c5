import './settings.css';
import { useEffect, useState } from 'preact/hooks';
import type { QuarryError } from '../../../src/client/index.ts';
import { jobsOf, startIndexing } from '../api/jobs.ts';
import { perform, type ResultOf } from '../api/operations.ts';
import { asError } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ListBar } from '../shell/list-bar.tsx';
import { Problem } from '../shell/problem.tsx';
import { route } from '../shell/route.ts';
import { JobCard } from '../status/job-card.tsx';
import { choices, settingsOf } from './choices.ts';
import { changesOf, type Drafts, type Setting } from './drafts.ts';
import { effectOf, type Holdings } from './effect.ts';
import { PageSettings } from './page-settings.tsx';
import { Preview, Retired, Untrusted } from './preview.tsx';
import { SettingField } from './setting-field.tsx';
import { SettingTables } from './setting-tables.tsx';

/** Ten choices in words of people, what was changed, and all else. */
const kinds = ['main', 'changed', 'advanced'] as const;
type Kind = (typeof kinds)[number];
const names: Readonly<Record<Kind, string>> = { main: 'Main', changed: 'Changed', advanced: 'Advanced' };

/** Milliseconds after the last letter before the change is checked. */
const typingPause = 200;
/** Milliseconds between two looks at the run that a change needs. */
const looksEvery = 800;

/** What was changed and not saved, by project: the reader may look at another view before saving. */
const unsaved = new Map<string, Drafts>();

/** Ten choices, and behind them every setting with its value and origin; what is changed is checked while it is typed, shown as a diff, and saved. */
export function SettingsView({ project }: { project: string }) {
  const shown = useAnswer(() => perform(project, 'config show', { schema: true }), [project]);
  const [drafts, setState] = useState<Drafts>(unsaved.get(project) ?? new Map());
  const setDrafts = (next: Drafts) => {
    unsaved.set(project, next);
    setState(next);
  };
  const [filter, setFilter] = useState(route.value.words.get('filter') ?? '');
  const [kind, setKind] = useState<Kind>('main');
  const [preview, setPreview] = useState<ResultOf<'config set'>>();
  const [error, setError] = useState<QuarryError>();
  const [saved, setSaved] = useState<ResultOf<'config set'> & { readonly held?: Holdings | undefined }>();
  const settings = shown.result?.settings ?? [];
  const chosen = settingsOf(settings);
  const revision = shown.result?.revision;
  const change = (isPreview: boolean) =>
    perform(project, 'config set', {
      ...changesOf(
        [...settings, ...chosen.filter(({ key }) => !settings.some((own) => own.key === key))],
        drafts,
      ),
      preview: isPreview,
      ...(revision !== undefined && { revision }),
    });
  useEffect(() => {
    setPreview(undefined);
    setError(undefined);
    if (drafts.size === 0) return;
    let isGone = false;
    const wait = setTimeout(() => {
      change(true).then(
        (result) => !isGone && setPreview(result),
        (thrown) => !isGone && setError(asError(thrown)),
      );
    }, typingPause);
    return () => {
      isGone = true;
      clearTimeout(wait);
    };
  }, [drafts, revision]);
  const edit = (key: string, draft: string | symbol | undefined) => {
    const next = new Map(drafts);
    if (draft === undefined) next.delete(key);
    else next.set(key, draft as string);
    setSaved(undefined);
    setDrafts(next);
  };
  const save = () => {
    // To say afterwards what the change has done.
    const holdings = perform(project, 'status', { compare: false }).catch(() => undefined);
    holdings
      .then(async (held) => ({ ...(await change(false)), held }))
      .then(async (result) => {
        setSaved(result);
        setDrafts(new Map());
        shown.again();
        if (result.needs.length > 0) await startIndexing(project, false);
      })
      .catch((thrown) => setError(asError(thrown)));
  };
  const wanted = filter.trim().toLowerCase();
  // What is looked for is found wherever it stands.
  const isMain = kind === 'main' && wanted === '';
  const visible = settings.filter(
    (setting) =>
      // What is being changed stays in sight.
      (wanted !== '' || isOf(setting, kind) || drafts.has(setting.key)) &&
      `${setting.key} ${setting.description} ${questionOf(setting.key)}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <header class="view-head">
        <h1>Settings</h1>
      </header>
      <ListBar
        label="Which settings"
        counts={kinds.map(
          (name) =>
            [
              name,
              name === 'main' ? chosen.length : settings.filter((each) => isOf(each, name)).length,
            ] as const,
        )}
        names={names}
        kind={kind}
        onKind={setKind}
        filterLabel="Filter the settings"
        hint="Search all settings"
        filter={filter}
        onFilter={setFilter}
      />
      {shown.error && <Problem error={shown.error} retry={shown.again} />}
      <Retired notices={shown.result?.retired} />
      {saved && <Saved project={project} saved={saved} />}
      {isMain && (
        <section class="table">
          {chosen.map(({ choice, ...setting }) => (
            <SettingField
              key={setting.key}
              setting={setting}
              choice={choice}
              draft={drafts.get(setting.key)}
              onEdit={(draft) => edit(setting.key, draft)}
            />
          ))}
        </section>
      )}
      {kind === 'main' && 'editor of this browser'.includes(wanted) && <PageSettings />}
      {shown.result && !isMain && visible.length === 0 && <p class="quiet">No setting has these words.</p>}
      {!isMain && <SettingTables settings={visible} drafts={drafts} onEdit={edit} />}
      {drafts.size > 0 && (
        <Preview
          count={drafts.size}
          preview={preview}
          error={error}
          onSave={save}
          onDrop={() => setDrafts(new Map())}
          onReload={shown.again}
        />
      )}
    </>
  );
}

function isOf({ layer }: Setting, kind: Kind): boolean {
  return kind === 'advanced' || layer !== 'default';
}

/** How the choices ask for a setting, so that it is found by those words too. */
function questionOf(key: string): string {
  return choices.find((choice) => choice.key.startsWith(key))?.question ?? '';
}

function Saved({
  project,
  saved,
}: {
  project: string;
  saved: ResultOf<'config set'> & { readonly held?: Holdings | undefined };
}) {
  const needsRun = saved.needs.length > 0;
  const jobs = useAnswer(
    async () => (needsRun ? jobsOf(project) : []),
    [project, saved],
    needsRun ? looksEvery : undefined,
  );
  const job = jobs.result?.findLast(({ operation }) => operation === 'index');
  const isDone = job?.state === 'done';
  const after = useAnswer(
    async () => (isDone ? perform(project, 'status', { compare: false }) : undefined),
    [project, isDone],
  );
  return (
    <div class="saved">
      <p role="status">
        Saved to {saved.file}, and in use from now on.
        {needsRun && ' The index is brought up to date with it:'}
      </p>
      <Untrusted settings={saved.untrusted} />
      {job && <JobCard job={job} onChange={jobs.again} />}
      {saved.held && after.result && <p role="status">{effectOf(saved.held, after.result)}</p>}
    </div>
  );
}
