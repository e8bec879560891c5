import { join } from 'node:path';
import type { Project } from '../calls/project.ts';
import type { QuarryEvent } from '../core/events.ts';
import type { EngineFacts, Operation } from '../operations/operation.ts';
import { closeAll } from '../platform/close-all.ts';
import {
  type Environment,
  userCacheFolder,
  userConfigFolder,
  userDataFolder,
  userHome,
} from '../platform/environment.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { severalProjects } from '../several/several-projects.ts';
import type { Original } from '../sources/original.ts';
import { requireFolder } from '../state-folder/state-folder.ts';
import { hasReceived, prepareReceived, receivingFolder } from '../streaming/received-database.ts';
import { entryOfFolder, type ProjectEntry, projectUnknown, requireProjectId } from '../user/project-entry.ts';
import { openProjectsFile, type ProjectsFile } from '../user/projects-file.ts';
import { type NotesRecord, openReaderNotes } from '../user/reader-notes.ts';
import { openTokens, type Tokens } from '../user/tokens.ts';
import { type Agents, createAgents } from './agents.ts';
import { type ClientIndexes, createClientIndexes } from './client-indexes.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { createOpenProjects, type OpenProjectState, type OpenProjects } from './open-projects.ts';
import { namedPlaces, projectNames } from './project-address.ts';
import {
  createReceivingProjects,
  type ReceivingOptions,
  type ReceivingProjects,
} from './receiving-projects.ts';

/** Milliseconds between two looks for projects that are no longer used. */
const lookEvery = 10_000;

/** How an engine works. */
export interface EngineOptions {
  readonly environment: Environment;
  /** The file with the registered projects; `projects.yaml` among the user's settings by default. */
  readonly projectsFile?: string | undefined;
  /** Milliseconds without use after which a project is closed. */
  readonly projectIdleMilliseconds?: number;
  /** How many projects stay open at most. */
  readonly maximumProjects?: number;
  /** Whether open projects are watched; true by default. */
  readonly watch?: boolean;
  readonly receiving?: ReceivingOptions;
}

/** A folder of the engine's machine under a name that callers may see. */
export interface Place {
  readonly folder: string;
  readonly name: string;
}

/** A known project and how it is doing. */
export interface KnownProject extends ProjectEntry {
  /** What people call it: its id, or for a folder that nobody has registered the name of that. No other project has it. */
  readonly name: string;
  /** Absent while it is not open. */
  readonly state?: OpenProjectState;
}

/** A process that keeps projects open and performs operations on them. */
export interface Engine {
  /** The home of its user. */
  readonly home: string;
  /** Folders of its user, and what stands for them in answers to callers from elsewhere. */
  readonly places: readonly Place[];
  readonly jobs: Jobs;
  readonly tokens: Tokens;
  /** Every registered project, and those opened by their folder. */
  projects(): Promise<KnownProject[]>;
  /** The project of this id; fails with `project-not-found`. */
  find(id: string): Promise<ProjectEntry>;
  /** What the page keeps for its owner on a project. */
  notes(project: ProjectEntry): NotesRecord;
  /** A PDF or a picture of a project as it was indexed, for its owner alone. */
  original(id: string, path: string): Promise<Original>;
  /** The project of this id, else the one of this name. What a caller may do is asked of its id. */
  named(name: string): Promise<KnownProject | undefined>;
  /** Makes a folder known until the engine ends. */
  adopt(folder: string): Promise<ProjectEntry>;
  /** Makes a folder known and opens it now, so that its files are watched. */
  open(folder: string): Promise<void>;
  /**
   * Registers a project for good: of a folder of this machine, or without one, to receive files or an index from clients. One
   * that has received nothing yet may be registered for the other of the two.
   */
  register(id: string, folder?: string, files?: 'streamed' | 'remote'): Promise<ProjectEntry>;
  /** Forgets a project and closes it; returns whether it was known. Its folder and index stay. */
  forget(id: string): Promise<boolean>;
  /** Performs an operation on a project that stays open for the next one. */
  perform(
    id: string,
    operation: Operation,
    input: Record<string, unknown>,
    signal?: AbortSignal,
  ): AsyncGenerator<QuarryEvent, unknown>;
  /** Performs an operation on several projects as on one; each stays open for the next one. */
  performOn(
    projects: readonly Pick<KnownProject, 'id' | 'name' | 'folder'>[],
    operation: Operation,
    input: Record<string, unknown>,
    signal?: AbortSignal,
  ): AsyncGenerator<QuarryEvent, unknown>;
  /**
   * Brings the index of a project up to date with its files and returns the summary. Where projects are watched, its
   * vectors are left to that.
   */
  sync(id: string, signal?: AbortSignal): AsyncGenerator<QuarryEvent, unknown>;
  /** Who sends files. */
  readonly agents: Agents;
  /** The files that clients send. */
  readonly receiving: ReceivingProjects;
  readonly openProjects: OpenProjects;
  /** Indexes that are kept for clients, and the leases of those who write them. */
  readonly clientIndexes: ClientIndexes;
  /** Whether anything is under way that ending the process would stop. */
  isBusy(): boolean;
  /** Stops jobs and watches, and closes every project. */
  close(): Promise<void>;
}

/** Starts an engine in this process. */
export function createEngine(options: EngineOptions): Engine {
  const { environment, watch = true } = options;
  const configFolder = userConfigFolder(environment);
  const registry: ProjectsFile = openProjectsFile(
    options.projectsFile ?? join(configFolder, 'projects.yaml'),
  );
  const adopted = new Map<string, ProjectEntry>();
  /** Names that were given out stay valid for as long as this runs. */
  let names: ReadonlyMap<string, string> = new Map();
  const jobs = createJobs();
  const idleMilliseconds = options.projectIdleMilliseconds ?? 15 * 60_000;
  const openProjects = createOpenProjects({
    environment,
    idleMilliseconds,
    maximum: options.maximumProjects ?? 16,
    watch,
  });
  const clientIndexes = createClientIndexes(environment);
  const sweep = setInterval(() => {
    // Nobody waits for these; what cannot be closed is forgotten all the same.
    void openProjects.closeIdle().catch(() => undefined);
    void clientIndexes.closeIdle(idleMilliseconds).catch(() => undefined);
  }, lookEvery);
  sweep.unref();

  const engine = (): EngineFacts => ({
    pid: process.pid,
    uptimeSeconds: Math.round(process.uptime()),
    memoryBytes: process.memoryUsage.rss(),
    openProjects: openProjects.list().length,
  });
  const known = async (id: string): Promise<ProjectEntry | undefined> =>
    adopted.get(id) ?? (await registry.read()).find((entry) => entry.id === id);
  const find = async (id: string): Promise<ProjectEntry> => {
    const found = await known(id);
    if (!found) throw projectUnknown(id);
    return found;
  };

  const adopt = async (folder: string): Promise<ProjectEntry> => {
    const entry = entryOfFolder(folder);
    const registered = (await registry.read()).find((known) => known.folder === entry.folder);
    if (registered) return registered;
    adopted.set(entry.id, entry);
    return entry;
  };

  /** Whether a project has got nothing but its name: no file has come, and its index is empty. */
  const isUnused = async (entry: ProjectEntry): Promise<boolean> => {
    if (hasReceived(entry.folder)) return false;
    const { current } = await clientIndexes.list(entry);
    return clientIndexes.use(entry, current, async (store) => (await store.state()).isEmpty);
  };

  const register: Engine['register'] = async (id, folder, files) => {
    requireProjectId(id);
    if (folder) await requireFolder(folder);
    const previous = folder ? undefined : (await registry.read()).find((entry) => entry.id === id);
    const place = previous?.files === 'remote' ? 'remote' : 'streamed';
    const entry: ProjectEntry = folder
      ? { ...entryOfFolder(folder), id, isRegistered: true }
      : { id, folder: receivingFolder(environment, id), files: files ?? place, isRegistered: true };
    if (!folder) await makeFolder(entry.folder, 0o700);
    if (entry.files === 'streamed') await prepareReceived(entry.folder);
    // A project that was given a name alone becomes what its first client makes of it.
    const isOpen = entry.files === 'remote' && previous?.files === 'streamed' && (await isUnused(previous));
    await registry.add(entry, isOpen ? previous : undefined);
    if (isOpen) await openProjects.closeProject(id);
    return entry;
  };
  const projects = async (): Promise<KnownProject[]> => {
    const states = new Map(openProjects.list().map((state) => [state.id, state]));
    const entries = [...(await registry.read()), ...adopted.values()];
    names = projectNames(entries, names);
    return entries.map((entry) => {
      const state = states.get(entry.id);
      return { ...entry, name: names.get(entry.id) ?? entry.id, ...(state && { state }) };
    });
  };
  const use = async <Result>(id: string, work: (project: Project) => Promise<Result>): Promise<Result> => {
    const { project, release } = await openProjects.lease(await find(id));
    try {
      return await work(project);
    } finally {
      release();
      // Many projects that are asked at once do not all stay open; nobody waits for that.
      void openProjects.closeIdle().catch(() => undefined);
    }
  };
  const receiving = createReceivingProjects(options.receiving ?? {}, known, register);

  return {
    jobs,
    agents: createAgents(),
    receiving,
    tokens: openTokens(configFolder),
    openProjects,
    clientIndexes,
    home: userHome(environment),
    places: [
      // What is below the home is named by that; the others may be anywhere.
      { folder: userHome(environment), name: '~' },
      { folder: userCacheFolder(environment), name: 'the cache folder' },
      { folder: userDataFolder(environment), name: 'the data folder' },
      { folder: configFolder, name: 'the settings folder' },
    ],
    find,
    original: (id, path) =>
      use(id, async (project) =>
        (await import('../sources/original.ts')).readOriginal(project, environment, path),
      ),
    notes: ({ folder }) => openReaderNotes(environment, folder),
    projects,
    async named(name) {
      const entry = adopted.get(name);
      const known = names.get(name);
      // Most calls name what is open by its id.
      if (entry && known !== undefined) {
        const state = openProjects.list().find(({ id }) => id === name);
        return { ...entry, name: known, ...(state && { state }) };
      }
      const all = await projects();
      return all.find(({ id }) => id === name) ?? all.find((project) => project.name === name);
    },
    async open(folder) {
      const { release } = await openProjects.lease(await adopt(folder));
      release();
    },
    adopt,
    register,
    async forget(id) {
      const isKnown = adopted.delete(id) || (await registry.remove(id));
      await openProjects.closeProject(id);
      return isKnown;
    },
    async *perform(id, operation, input, signal) {
      const { project, release } = await openProjects.lease(await find(id));
      try {
        return yield* operation.run(project, input, {
          vectorsLater: watch,
          engine,
          ...(signal && { signal }),
        });
      } finally {
        release();
      }
    },
    async *performOn(asked, operation, input, signal) {
      const several = severalProjects(
        namedPlaces(operation, input, asked).map(({ id, name, folder }) => ({
          name,
          folder,
          use: (work) => use(id, work),
        })),
        { environment },
      );
      // An operation that takes several asks for nothing else.
      return yield* operation.run(several as Project, input, {
        vectorsLater: watch,
        engine,
        ...(signal && { signal }),
      });
    },
    async *sync(id, signal) {
      const { project, release } = await openProjects.lease(await find(id));
      try {
        let summary: unknown;
        const later = watch ? { giveWay: AbortSignal.abort() } : {};
        for await (const event of project.index({ ...later, ...(signal && { signal }) })) {
          if (event.type === 'index-end') summary = event.summary;
          yield event;
        }
        return summary;
      } finally {
        release();
      }
    },
    isBusy: () => jobs.isBusy() || openProjects.isBusy() || receiving.isBusy(),
    async close() {
      clearInterval(sweep);
      await jobs.close();
      await closeAll([receiving, openProjects, clientIndexes]);
    },
  };
}
