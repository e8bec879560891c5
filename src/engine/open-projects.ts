import type { Project } from '../calls/project.ts';
import { asQuarryError, type QuarryError } from '../core/errors.ts';
import { projectDisabled } from '../core/failures/project-disabled.ts';
import { closeAll } from '../platform/close-all.ts';
import { type Environment, userConfigFolder } from '../platform/environment.ts';
import { createFileStamps, type FileStamps } from '../platform/file-stamps.ts';
import { openProject } from '../project/open-project.ts';
import { settingsFilesOf } from '../settings/settings-files.ts';
import { unmeantFolder } from '../state-folder/wide-folder.ts';
import type { ProjectEntry } from '../user/project-entry.ts';
import { remoteProject } from './remote-project.ts';

/** An open project that is used for a while. It stays open until it is released. */
export interface ProjectLease {
  readonly project: Project;
  release(): void;
}

/** What an engine tells of a project it holds open. */
export interface OpenProjectState {
  readonly id: string;
  readonly folder: string;
  /** How many calls use it now. */
  readonly users: number;
  /** Whether its index is being brought up to date now. */
  readonly isSyncing: boolean;
  /** Why its files are not watched, where they are not. */
  readonly failure?: QuarryError;
}

/** How projects are held open. */
export interface OpenProjectsOptions {
  /** What settings, keys and the user's folders are read from. */
  readonly environment: Environment;
  /** Milliseconds without use after which a project is closed. */
  readonly idleMilliseconds: number;
  /** How many stay open at most, unless more are in use at once. */
  readonly maximum: number;
  /** Whether the files of open projects are watched. */
  readonly watch: boolean;
}

/** Projects that stay open between calls. Each is opened once, however many use it. */
export interface OpenProjects {
  /** The open project, opened if need be, and with the settings of this moment. */
  lease(entry: ProjectEntry): Promise<ProjectLease>;
  list(): OpenProjectState[];
  /** Whether anything uses a project, or brings one up to date. */
  isBusy(): boolean;
  /** Closes what has been idle for too long, and what is beyond the maximum. */
  closeIdle(): Promise<void>;
  /** Closes one project when nobody uses it any more. */
  closeProject(id: string): Promise<void>;
  /** Stops every watch and closes every project. */
  close(): Promise<void>;
}

/** One opening of a project. Changed settings lead to a new one; the previous closes when its last user has left. */
interface Opening {
  readonly entry: ProjectEntry;
  readonly project: Promise<Project>;
  readonly settingsFiles: FileStamps;
  readonly watch: AbortController;
  /** Undefined while its files are not followed. */
  watching: Promise<void> | undefined;
  users: number;
  lastUsed: number;
  isSyncing: boolean;
  isRetired: boolean;
  closing?: Promise<void>;
  failure?: QuarryError;
}

/** A project whose client keeps the index up to date is not brought up to date by a search. */
async function openEntry({ folder, files }: ProjectEntry, environment: Environment): Promise<Project> {
  const project = await openProject(folder, { environment });
  return files === 'remote' ? remoteProject(project) : project;
}

/** No projects yet. */
export function createOpenProjects(options: OpenProjectsOptions): OpenProjects {
  const current = new Map<string, Opening>();
  const all = new Set<Opening>();
  let isClosed = false;

  const openingOf = async (entry: ProjectEntry): Promise<Opening> => {
    const held = current.get(entry.id);
    const isAsBefore = held?.entry.files === entry.files;
    if (held && isAsBefore && (await held.settingsFiles.changed()).length === 0) return held;
    // While the files were looked at, another caller may have opened it again.
    const newest = current.get(entry.id);
    if (newest && newest !== held) return newest;
    if (held) retire(held);
    return begin(entry);
  };

  /** Whether its files are ours to follow; to watch a whole disk would index it unasked. */
  const isWatched = ({ folder, files }: ProjectEntry): boolean =>
    files !== 'remote' && !unmeantFolder(folder, options.environment);

  const begin = (entry: ProjectEntry): Opening => {
    const settingsFiles = createFileStamps();
    const opening: Opening = {
      entry,
      settingsFiles,
      project: (async () => {
        // Followed before they are read, so that no change falls in between.
        await settingsFiles.follow(settingsFilesOf(entry.folder, userConfigFolder(options.environment)));
        return openEntry(entry, options.environment);
      })(),
      watch: new AbortController(),
      watching: undefined,
      users: 0,
      lastUsed: performance.now(),
      isSyncing: false,
      isRetired: false,
    };
    current.set(entry.id, opening);
    all.add(opening);
    opening.project.then(
      (project) => {
        if (!project.settings.enabled) opening.failure = projectDisabled(entry.folder);
        follow(opening, project);
      },
      // A project that could not be opened is forgotten: the next call tries again.
      () => forget(opening),
    );
    return opening;
  };

  /** Begins to watch it, unless that has begun, or a home folder has no index yet. */
  const follow = (opening: Opening, project: Project): void => {
    if (!options.watch || opening.watching || opening.isRetired) return;
    if (project.settings.enabled && isWatched(opening.entry)) opening.watching = watch(opening, project);
  };

  const forget = (opening: Opening): void => {
    all.delete(opening);
    if (current.get(opening.entry.id) === opening) current.delete(opening.entry.id);
  };

  const retire = (opening: Opening): void => {
    opening.isRetired = true;
    if (current.get(opening.entry.id) === opening) current.delete(opening.entry.id);
    opening.watch.abort();
    // Nobody waits for it; what cannot be closed is forgotten all the same.
    if (opening.users === 0) void end(opening).catch(() => undefined);
  };

  const end = (opening: Opening): Promise<void> => {
    opening.closing ??= (async () => {
      opening.watch.abort();
      // One that could not be opened needs no closing; its user was told.
      const project = await opening.project.catch(() => undefined);
      await opening.watching;
      try {
        await project?.close();
      } finally {
        forget(opening);
      }
    })();
    return opening.closing;
  };

  return {
    async lease(entry) {
      const opening = await openingOf(entry);
      opening.users += 1;
      let isHeld = true;
      const release = (): void => {
        if (!isHeld) return;
        isHeld = false;
        opening.users -= 1;
        opening.lastUsed = performance.now();
        // Nobody waits for it, as above.
        if (opening.users === 0 && opening.isRetired) void end(opening).catch(() => undefined);
      };
      try {
        const project = await opening.project;
        follow(opening, project);
        return { project, release };
      } catch (thrown) {
        release();
        throw thrown;
      }
    },
    list: () =>
      [...current.values()].map(({ entry, users, isSyncing, failure }) => ({
        id: entry.id,
        folder: entry.folder,
        users,
        isSyncing,
        ...(failure && { failure }),
      })),
    isBusy: () => [...all].some(({ users, isSyncing }) => users > 0 || isSyncing),
    async closeIdle() {
      const free = [...current.values()]
        .filter(({ users, isSyncing }) => users === 0 && !isSyncing)
        .sort((a, b) => a.lastUsed - b.lastUsed);
      const tooMany = current.size - options.maximum;
      const since = performance.now() - options.idleMilliseconds;
      free.filter(({ lastUsed }, index) => lastUsed < since || index < tooMany).forEach(retire);
      await Promise.all([...all].map(({ closing }) => closing));
    },
    async closeProject(id) {
      const opening = current.get(id);
      if (!opening) return;
      retire(opening);
      await opening.closing;
    },
    async close() {
      isClosed = true;
      await closeAll([...all].map((opening) => ({ close: () => end(opening) })));
    },
  };

  /** Keeps the index in sync until the project is closed. A watch that fails is a state of the project, no reason to end. */
  async function watch(opening: Opening, project: Project): Promise<void> {
    const { signal } = opening.watch;
    try {
      for await (const event of project.watch({ signal })) {
        if (event.type === 'pass-start') opening.isSyncing = true;
        if (event.type === 'pass-end' || event.type === 'pass-failed') opening.isSyncing = false;
        if (event.type === 'pass-failed') opening.failure = event.error;
        if (event.type === 'pass-end') delete opening.failure;
      }
    } catch (thrown) {
      if (!isClosed) opening.failure = asQuarryError(thrown);
    } finally {
      opening.isSyncing = false;
    }
  }
}
