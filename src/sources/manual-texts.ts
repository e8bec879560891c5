import { textOfChunks } from '../added/stored-content.ts';
import type { SourceFile } from '../contracts/source.ts';
import type { ContextText } from '../core/context.ts';
import { isVirtual } from '../core/document.ts';
import { isConversation } from '../core/documents/conversation.ts';
import { QuarryError } from '../core/errors.ts';
import { sha256 } from '../core/identity.ts';
import type { Reading } from '../indexing/read-document.ts';
import { outsideRoots } from '../platform/contained-path.ts';
import type { Environment } from '../platform/environment.ts';
import type { Settings } from '../settings/settings.ts';
import { openSource } from './project-source.ts';

/** What it takes to read a file of the project as it is now. */
export interface ReadingOfProject {
  readonly folder: string;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly reading: () => Promise<Reading>;
}

/** Files that the user names, whole and as they are on disk; what the project leaves out cannot be named either. */
export async function manualTexts(
  project: ReadingOfProject,
  paths: readonly string[],
  signal: AbortSignal | undefined,
  /** Whether a file that cannot be shown is left out; otherwise it is an error. */
  leavesOut = false,
): Promise<ContextText[]> {
  const source = openSource(project.folder, project.settings, project.environment);
  const texts: ContextText[] = [];
  for (const path of new Set(paths.map(normalised))) {
    const error = isVirtual(path) || isConversation(path) ? undefined : outsideRoots(path);
    if (error) throw error;
    let found: SourceFile | undefined;
    let rule = 'there is no such file';
    for await (const entry of source.scan({ only: [path], signal })) {
      if (entry.kind === 'skipped') rule = entry.skipped.rule;
      else if (entry.file.uri === path) found = entry.file;
    }
    if (!found && leavesOut) continue;
    if (!found) throw notNamed(path, rule);
    texts.push(await readWhole(await project.reading(), found, await source.read(path)));
  }
  return texts;
}

/** A whole file as a text of a context block: extracted, and without its secrets. */
export async function readWhole(reading: Reading, file: SourceFile, bytes: Uint8Array): Promise<ContextText> {
  const revision = sha256(bytes);
  const read = await reading.read({ file, bytes, revision });
  if (read.kind === 'skipped') throw notNamed(file.uri, read.skipped.rule);
  const { uri, title, type } = read.document;
  return {
    uri,
    title,
    type,
    section: '',
    text: textOfChunks(read.chunks.map(({ chunk }) => chunk)),
    signatures: '',
    revision,
  };
}

function normalised(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.\/+)+/, '');
}

function notNamed(path: string, rule: string): QuarryError {
  return new QuarryError(
    'document-unsupported',
    `${path} cannot be put into a context: ${rule}.`,
    'Name a file of the project that is indexed; quarry status --skipped lists what is left out.',
  );
}
