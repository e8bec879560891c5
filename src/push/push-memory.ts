import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { SourceFile } from '../contracts/source.ts';
import { sha256 } from '../core/identity.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { writeDurably } from '../platform/write-durably.ts';

/** A file that changed less than so many milliseconds before it was read may change again within the same time stamp. */
const settles = 2000;

/** What is known of a file that was looked at. */
export interface KnownFile {
  /** As it was on this machine. */
  readonly local: Pick<SourceFile, 'size' | 'modifiedAt' | 'changedAt'>;
  /** As it may leave this machine; absent where it is withheld. */
  readonly content?: { readonly size: number; readonly hash: string };
  /** When it was read, in milliseconds since 1970. */
  readonly readAt: number;
}

/** What a client remembers of what it sent to one project of one server. */
export interface PushMemory {
  /** The revision that the server had after the last push that was completed; empty where there was none. */
  readonly revision: string;
  /** The hashes of the files of that revision. */
  readonly sent: ReadonlyMap<string, string>;
  /** The files as they were last looked at. */
  readonly files: Map<string, KnownFile>;
  /** Notes that the server has the files as they are now; with an empty revision, that what it has is not known. */
  completed(revision: string): void;
  save(): Promise<void>;
}

const numbers = z.tuple([z.number(), z.number(), z.number().nullable(), z.number()]);
const schema = z.object({
  made: z.string(),
  revision: z.string(),
  sent: z.array(z.tuple([z.string(), z.string()])),
  files: z.array(z.tuple([z.string(), numbers, z.object({ size: z.number(), hash: z.string() }).nullable()])),
});

/**
 * The memory for this folder, server and project. `made` names what decides how contents leave: a memory that was made
 * otherwise is not used. One that is lost or damaged only costs reading every file again.
 */
export async function openPushMemory(
  cacheFolder: string,
  names: readonly [folder: string, server: string, project: string],
  made: string,
): Promise<PushMemory> {
  const path = join(cacheFolder, 'push', `${sha256(names.join('\n')).slice(0, 32)}.json`);
  const stored = await readFile(path, 'utf8').then(
    (text) => parse(text, made),
    // Nothing is remembered: the server is asked what it has.
    () => undefined,
  );
  let revision = stored?.revision ?? '';
  let sent = new Map(stored?.sent);
  const files = new Map<string, KnownFile>(
    (stored?.files ?? []).map(([uri, [size, modifiedAt, changedAt, readAt], content]) => [
      uri,
      {
        local: { size, modifiedAt, ...(changedAt !== null && { changedAt }) },
        readAt,
        ...(content && { content }),
      },
    ]),
  );
  return {
    get revision() {
      return revision;
    },
    get sent() {
      return sent;
    },
    files,
    completed(now) {
      revision = now;
      sent = new Map([...files].flatMap(([uri, { content }]) => (content ? [[uri, content.hash]] : [])));
    },
    async save() {
      const rows = [...files].map(([uri, { local, readAt, content }]) => [
        uri,
        [local.size, local.modifiedAt, local.changedAt ?? null, readAt],
        content ?? null,
      ]);
      await makeFolder(dirname(path), 0o700);
      await writeDurably(path, JSON.stringify({ made, revision, sent: [...sent], files: rows }), 0o600);
    },
  };
}

function parse(text: string, made: string): z.output<typeof schema> | undefined {
  try {
    const memory = schema.parse(JSON.parse(text));
    return memory.made === made ? memory : undefined;
  } catch {
    // Not ours, or of another version: the server is asked what it has.
    return undefined;
  }
}

/** Whether a file is still as it was when it was read, by its size and times alone. */
export function isAsKnown(file: SourceFile, known: KnownFile | undefined): known is KnownFile {
  if (!known) return false;
  const { size, modifiedAt, changedAt } = known.local;
  const isSame = file.size === size && file.modifiedAt === modifiedAt && file.changedAt === changedAt;
  return isSame && Math.max(modifiedAt, changedAt ?? 0) < known.readAt - settles;
}
