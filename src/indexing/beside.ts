import type { Source } from '../contracts/source.ts';
import type { Reading } from './read-document.ts';

/** What was read beside the files of a source, by the name of the other file: one list of names serves thousands. */
const known = new WeakMap<Source, Map<string, Promise<string | undefined>>>();

/** What another file says that is needed to read this one; undefined where there is no such file, or none is needed. */
export async function textBeside(
  source: Source,
  reading: Pick<Reading, 'beside'>,
  uri: string,
): Promise<string | undefined> {
  const other = reading.beside?.fileOf(uri);
  if (other === undefined) return undefined;
  const all = known.get(source) ?? new Map<string, Promise<string | undefined>>();
  known.set(source, all);
  const found =
    all.get(other) ??
    source.read(other).then(
      (bytes) => reading.beside?.textOf(bytes),
      // Without it the file is read as it is.
      () => undefined,
    );
  all.set(other, found);
  return found;
}
