import type { Project } from '../calls/project.ts';
import { QuarryError } from '../core/errors.ts';
import { literalGlob } from '../core/globs/glob.ts';
import { sha256 } from '../core/identity.ts';
import { type WordBox, wordBoxesIn } from '../core/word-box.ts';
import { UnreadablePicture } from '../drivers/extractors/picture/bounds.ts';
import type { Environment } from '../platform/environment.ts';
import { openSource } from './project-source.ts';

/** A file as it was indexed, for who wants to see it and not its text. */
export interface Original {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** The words that were recognised in its pictures. */
  readonly words: readonly (Omit<WordBox, 'start' | 'end'> & { readonly word: string })[];
}

/** What can be shown as a picture. */
const shownTypes: readonly string[] = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/tiff',
];

/**
 * A PDF or a picture that is in the index; a file that has changed since is refused: what is cited of it may not be there.
 * Secrets are in it as they are. A TIFF, which no browser draws, becomes a PDF of its pages.
 */
export async function readOriginal(
  project: Pick<Project, 'folder' | 'settings' | 'store'>,
  environment: Environment,
  uri: string,
): Promise<Original> {
  const store = await project.store();
  const document = (await store.documents({ paths: [literalGlob(uri)] })).find((each) => each.uri === uri);
  if (!document)
    throw new QuarryError('document-not-found', `${uri} is not in the index.`, 'Search for it again.');
  if (!shownTypes.includes(document.mediaType))
    throw new QuarryError('document-unsupported', `${uri} is neither a PDF nor a picture.`, 'Read its text.');
  const bytes = await openSource(project.folder, project.settings, environment).read(uri);
  if (sha256(bytes) !== document.revision)
    throw new QuarryError('index-stale', `${uri} has changed since it was indexed.`, 'Run: quarry index');
  const [chunks = []] = await store.chunksIn([
    { documentId: document.id, first: 0, last: Number.MAX_SAFE_INTEGER },
  ]);
  const words = chunks.flatMap(({ text, metadata }) =>
    wordBoxesIn(metadata).map(({ start, end, ...box }) => ({ word: text.slice(start, end), ...box })),
  );
  return document.mediaType === 'image/tiff'
    ? { mediaType: 'application/pdf', bytes: await asPdf(uri, bytes), words }
    : { mediaType: document.mediaType, bytes, words };
}

async function asPdf(uri: string, bytes: Uint8Array): Promise<Uint8Array> {
  const { tiffAsPdf } = await import('../drivers/extractors/picture/tiff-as-pdf.ts');
  try {
    return tiffAsPdf(bytes);
  } catch (thrown) {
    if (!(thrown instanceof UnreadablePicture)) throw thrown;
    throw new QuarryError(
      'document-unsupported',
      `${uri} cannot be drawn: ${thrown.message}.`,
      'Read its text.',
    );
  }
}
