import type { DiskState } from '../core/answer.ts';
import type { ContextText } from '../core/context.ts';
import { isCommit } from '../core/documents/commit.ts';
import { sha256 } from '../core/identity.ts';
import { type ReadingOfProject, readWhole } from './manual-texts.ts';
import { openSource } from './project-source.ts';

/**
 * Whether the file of each text holds it at this moment. A file with the hash that was indexed does; another is read again,
 * and the hashes of its stretches are compared.
 */
export async function checkOnDisk(
  project: ReadingOfProject,
  texts: readonly ContextText[],
): Promise<DiskState[]> {
  const source = openSource(project.folder, project.settings, project.environment);
  const files = new Map<string, Promise<Uint8Array | undefined>>();
  const read = (uri: string): Promise<Uint8Array | undefined> => {
    const known =
      files.get(uri) ??
      source.read(uri).catch((thrown: unknown) => {
        if (isGone(thrown)) return undefined;
        throw thrown;
      });
    files.set(uri, known);
    return known;
  };
  const states: DiskState[] = [];
  for (const text of texts) states.push(await stateOf(project, text, read));
  return states;
}

async function stateOf(
  project: ReadingOfProject,
  { uri, revision, spans = [] }: ContextText,
  read: (uri: string) => Promise<Uint8Array | undefined>,
): Promise<DiskState> {
  // Its name is the hash of what it says.
  if (isCommit(uri)) return 'current';
  try {
    const bytes = await read(uri);
    if (!bytes) return 'gone';
    if (sha256(bytes) === revision) return 'current';
    // A file that the user named was read whole a moment ago.
    if (spans.length === 0) return 'changed';
    const file = { uri, size: bytes.length, modifiedAt: Date.now() };
    const { text } = await readWhole(await project.reading(), file, Uint8Array.from(bytes));
    const hash = (stretch: string): string => sha256(withoutSpace(stretch));
    if (spans.every(({ start, end, text: previous }) => hash(text.slice(start, end)) === hash(previous)))
      return 'current';
    const now = withoutSpace(text);
    return spans.every(({ text: previous }) => now.includes(withoutSpace(previous))) ? 'moved' : 'changed';
  } catch {
    // What cannot be read now cannot be relied on.
    return 'changed';
  }
}

/** White space between chunks is not stored: it says nothing about whether a text is the same. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The source names such a cause only where the file certainly no longer exists. */
function isGone(thrown: unknown): boolean {
  const { code } = ((thrown as { cause?: unknown }).cause ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
