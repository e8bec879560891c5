import { serveCalls } from '../../../../platform/threads/serve-calls.ts';
import { searchText } from '../text/text-index.ts';
import { OpenFiles } from './open-files.ts';
import type { SharedRequest } from './shared-searches.ts';

/** Bytes of all files that are open: some 200,000 chunks. */
const maxBytes = 256 * 2 ** 20;

const files = new OpenFiles(maxBytes);

/** The second thread of searches. It writes nothing: its files were opened, and brought to today's layout, by who asks. */
serveCalls<SharedRequest, string>(async (request) => {
  if ('close' in request) {
    files.close(request.close);
    return { value: '[]' };
  }
  const { connection, nearest } = files.open(request.file);
  const { search } = request;
  const matches = await connection.read(() =>
    'words' in search
      ? searchText(connection, search.words, search.bounds)
      : nearest.search(search.space, search.vector, search.bounds),
  );
  return { value: JSON.stringify(matches) };
});
