import { isAbsolute, join, resolve } from 'node:path';
import { isMap, parseDocument } from 'yaml';
import { z } from 'zod';
import { QuarryError } from '../core/errors.ts';
import { type Environment, userConfigFolder } from '../platform/environment.ts';
import { openUserRecord } from '../platform/user-record.ts';
import { filePlaces, type ProjectEntry, projectIdSchema } from './project-entry.ts';

const projectSchema = z.strictObject({
  folder: z.string().min(1).refine(isAbsolute, 'write the folder as an absolute path'),
  files: z.enum(filePlaces).default('local'),
});
const fileSchema = z.strictObject({ projects: z.record(projectIdSchema, projectSchema).nullish() });

/** The projects that a user has registered. Comments and order of the file stay as they are. */
export interface ProjectsFile {
  read(): Promise<readonly ProjectEntry[]>;
  /** Adds a project, in the place of a previous one where that is given; an id that is taken by another is refused. */
  add(entry: ProjectEntry, previous?: ProjectEntry): Promise<void>;
  /** Forgets a project; returns whether it was there. Its folder and index stay. */
  remove(id: string): Promise<boolean>;
}

/** The projects that this user has registered. */
export function openUserProjects(environment: Environment): ProjectsFile {
  return openProjectsFile(join(userConfigFolder(environment), 'projects.yaml'));
}

/** The registry in `projects.yaml`. */
export function openProjectsFile(path: string): ProjectsFile {
  const record = openUserRecord<readonly ProjectEntry[]>(path, {
    name: 'The list of your projects',
    remedy: 'Correct the file: it holds "projects:" and below it a name with "folder:" each.',
    empty: [],
    parse,
    write,
  });
  return {
    read: () => record.read(),
    async add(entry, previous) {
      await record.change((entries) => {
        const taken = entries.find(({ id }) => id === entry.id);
        const others = entries.filter((known) => known !== taken);
        if (!taken || (previous && isSame(taken, previous)))
          return [...others, { ...entry, isRegistered: true }];
        if (isSame(taken, entry)) return entries;
        throw idTaken(entry.id);
      });
    },
    async remove(id) {
      let isRemoved = false;
      await record.change((entries) => {
        isRemoved = entries.some((entry) => entry.id === id);
        return isRemoved ? entries.filter((entry) => entry.id !== id) : entries;
      });
      return isRemoved;
    },
  };

  function parse(text: string): readonly ProjectEntry[] {
    const document = parseDocument(text);
    const parsed = fileSchema.safeParse(document.toJS() ?? {});
    const [failure] = document.errors;
    const [issue] = parsed.error?.issues ?? [];
    if (failure) throw invalid(failure.message.split('\n')[0] ?? '');
    // A bad name is an issue within the issue of its key.
    const message = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
    if (issue) throw invalid(`${issue.path.join('.') || 'the file'}: ${message}`);
    return Object.entries(parsed.data?.projects ?? {}).map(([id, { folder, files }]) => ({
      id,
      folder: resolve(folder),
      files,
      isRegistered: true,
    }));
  }

  function invalid(what: string): QuarryError {
    return new QuarryError('config-invalid', `${path}: ${what}.`, 'Correct the file, then try again.');
  }
}

function isSame(one: ProjectEntry, other: ProjectEntry): boolean {
  return one.folder === resolve(other.folder) && one.files === other.files;
}

/** Changes only what differs, so that what a person wrote around it stays. */
function write(entries: readonly ProjectEntry[], text: string): string {
  const document = parseDocument(text);
  // A file of comments alone, or an empty `projects:`, has no map to add to.
  if (!isMap(document.get('projects'))) document.set('projects', document.createNode({}));
  const before = (document.toJS() as { projects: Record<string, { files?: string }> }).projects;
  const kept = new Set(entries.map(({ id }) => id));
  for (const id of Object.keys(before)) if (!kept.has(id)) document.deleteIn(['projects', id]);
  for (const entry of entries) {
    const previous = Object.hasOwn(before, entry.id) ? before[entry.id] : undefined;
    if (!previous) document.setIn(['projects', entry.id], written(entry));
    else if ((previous.files ?? 'local') !== entry.files)
      document.setIn(['projects', entry.id, 'files'], entry.files);
  }
  return document.toString();
}

function written({ folder, files }: ProjectEntry): object {
  return { folder, ...(files !== 'local' && { files }) };
}

function idTaken(id: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `The name "${id}" is taken by another project.`,
    'Choose another name.',
  );
}
