import { useEffect, useState } from 'preact/hooks';
import type { FolderList } from '../../../src/user/folders.ts';
import { startIndexing } from '../api/jobs.ts';
import { loadProjects, projects } from '../api/projects.ts';
import { asError, asking, isLost } from '../api/session.ts';
import { type DroppedFolder, dropped } from '../shell/drop.ts';
import { Problem } from '../shell/problem.tsx';
import { goTo, linkTo } from '../shell/route.ts';
import { plainly } from '../shell/words.ts';

/** Adds a folder: dropped on the page, chosen in a list, or typed. It is indexed at once, and searched meanwhile. */
export function NewProject() {
  const [failure, setFailure] = useState<unknown>();
  const [folder, setFolder] = useState('');
  const [isChoosing, setChoosing] = useState(false);
  const add = (path: string) => {
    setFailure(undefined);
    indexFolder(path).catch(setFailure);
  };
  return (
    <section class="card new-project">
      <h2>Add a folder</h2>
      <p class="quiet">
        Drop one anywhere on this page, choose it, or type its path. It stays where it is, and nothing is
        copied.
      </p>
      {dropped.value && <Dropped folder={dropped.value} onFound={add} onChoose={() => setChoosing(true)} />}
      {failure !== undefined && <Problem error={asError(failure)} />}
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          add(folder.trim());
        }}
      >
        <label>
          Folder of this machine
          <input
            name="folder"
            required
            placeholder="/home/me/docs"
            spellcheck={false}
            autocapitalize="off"
            value={folder}
            onInput={(event) => setFolder(event.currentTarget.value)}
          />
        </label>
        <button type="button" aria-expanded={isChoosing} onClick={() => setChoosing(!isChoosing)}>
          Choose…
        </button>
        <button type="submit" class="primary" disabled={isLost.value}>
          Index it
        </button>
      </form>
      {isChoosing && <Chooser start={folder} onGo={setFolder} onChoose={add} />}
    </section>
  );
}

/** Where a dropped folder may be; one that can only be this one is indexed at once. */
function Dropped({
  folder,
  onFound,
  onChoose,
}: {
  folder: DroppedFolder;
  onFound: (path: string) => void;
  onChoose: () => void;
}) {
  const [found, setFound] = useState<readonly string[]>();
  useEffect(() => {
    setFound(undefined);
    asking((client) => client.request('POST', '/v1/engine/folders/find', folder)).then(
      (answer) => {
        const { folders, is_cut: isCut } = answer as { folders: readonly string[]; is_cut: boolean };
        const [only, other] = folders;
        // Where the look ended early there may be another one.
        if (only !== undefined && other === undefined && !isCut && folder.entries.length > 0) onFound(only);
        else if (only === undefined) onChoose();
        setFound(folders);
      },
      () => setFound([]),
    );
  }, [folder]);
  const name = plainly(folder.name);
  if (!found) return <p role="status">Looking for “{name}” below your home folder…</p>;
  if (found.length === 0)
    return (
      <p class="notice" role="status">
        A browser does not say where “{name}” is, and no such folder is near your home folder. Choose it
        below, or type its path.
      </p>
    );
  return (
    <div class="notice" role="status">
      <p>Which “{name}” is it?</p>
      <ul class="chips">
        {found.map((path) => (
          <li key={path}>
            <button type="button" onClick={() => onFound(path)}>
              {plainly(path)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The folders of this machine, one level at a time. */
function Chooser({
  start,
  onGo,
  onChoose,
}: {
  start: string;
  onGo: (path: string) => void;
  onChoose: (path: string) => void;
}) {
  const [list, setList] = useState<FolderList>();
  const [failure, setFailure] = useState<unknown>();
  const go = (folder: string | undefined) => {
    setFailure(undefined);
    asking((client) => client.request('POST', '/v1/engine/folders', folder ? { folder } : {})).then(
      (answer) => {
        setList(answer as FolderList);
        if (folder) onGo(folder);
      },
      setFailure,
    );
  };
  useEffect(() => go(start.startsWith('/') ? start : undefined), []);
  return (
    <fieldset class="chooser">
      <legend class="unseen">Folders</legend>
      {failure !== undefined && <Problem error={asError(failure)} />}
      {list && (
        <>
          <p>
            <code>{plainly(list.folder)}</code>{' '}
            <button type="button" class="primary" onClick={() => onChoose(list.folder)}>
              Index this folder
            </button>
          </p>
          <ul>
            {list.parent !== undefined && (
              <li>
                <button type="button" class="link" onClick={() => go(list.parent)}>
                  ↑ the folder around it
                </button>
              </li>
            )}
            {list.folders.map(({ name, folder }) => (
              <li key={folder}>
                <button type="button" class="link" onClick={() => go(folder)}>
                  {plainly(name)}
                </button>
              </li>
            ))}
          </ul>
          {list.folders.length === 0 && <p class="quiet">No folders in it.</p>}
          {list.is_cut && <p class="quiet">There are more than are listed: type the path.</p>}
        </>
      )}
    </fieldset>
  );
}

/** Registers a folder under its own name, has it indexed in the background, and leads to its search. */
async function indexFolder(folder: string): Promise<void> {
  const known = projects.value?.find((project) => project.registered && project.folder === folder);
  const id = known?.id ?? freeName(folder);
  if (!known) await asking((client) => client.request('POST', '/v1/projects', { id, folder }));
  dropped.value = undefined;
  await loadProjects();
  await startIndexing(id, false);
  goTo(linkTo(id, 'search'));
}

/** The last part of a path as a name for addresses, with a number where another project has it. */
function freeName(folder: string): string {
  const last = folder.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  const name =
    last
      .replace(/[^\w.-]+/g, '-')
      .slice(0, 40)
      .replace(/^[^a-z0-9]+|[^a-z0-9]+$/gi, '') || 'folder';
  const taken = new Set(projects.value?.map(({ id }) => id));
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(free)) return free;
  }
}
