import { serveCalls } from '../../../../platform/threads/serve-calls.ts';
import { Connection, type Elsewhere } from '../file/connection.ts';
import { fileGone } from '../file/file-identity.ts';
import { searchText } from '../text/text-index.ts';
import { NearestSearch } from '../vectors/nearest.ts';
import type { SharedRequest } from './shared-searches.ts';

/** Files that are kept open at most. */
const maxFiles = 32;

interface OpenFile {
  readonly connection: Connection;
  readonly nearest: NearestSearch;
}

const files = new Map<string, OpenFile>();

/** The second thread of searches. It writes nothing: its files were opened, and brought to today's layout, by who asks. */
serveCalls<SharedRequest, string>(async (request) => {
  if ('close' in request) {
    close(request.close);
    return { value: '[]' };
  }
  const { connection, nearest } = opened(request.file);
  const { search } = request;
  const matches = await connection.read(() =>
    'words' in search
      ? searchText(connection, search.words, search.bounds)
      : nearest.search(search.space, search.vector, search.bounds),
  );
  return { value: JSON.stringify(matches) };
});

function opened({ path, identity, key }: Elsewhere): OpenFile {
  const known = files.get(path);
  if (known?.connection.elsewhere()?.identity === identity) return known;
  close(path);
  const [oldest] = files.keys();
  if (files.size >= maxFiles && oldest !== undefined) close(oldest);
  const connection = new Connection(path, { key });
  // Another file took its place meanwhile.
  if (connection.elsewhere()?.identity !== identity) {
    connection.close();
    throw fileGone(path);
  }
  const file = { connection, nearest: new NearestSearch(connection) };
  files.set(path, file);
  return file;
}

function close(path: string): void {
  const file = files.get(path);
  files.delete(path);
  void file?.nearest.close();
  file?.connection.close();
}
