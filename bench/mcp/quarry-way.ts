import { fileURLToPath } from 'node:url';
import { minLines, type Shown, startServer, type Way } from './way.ts';

const program = fileURLToPath(new URL('../../src/surfaces/cli/main.ts', import.meta.url));

/** What an agent asks for, one after the other, until it has found the file. */
const more = [
  { top_k: 20, max_tokens: 4000 },
  { top_k: 50, max_tokens: 12_000 },
];
const manners = {
  usual: {
    name: 'quarry mcp: search, read the other places, search for more',
    searches: [{}, { max_tokens: 1200 }, ...more],
  },
  generous: {
    name: 'quarry mcp: search with max_tokens 1200, then for more',
    searches: [{ max_tokens: 1200 }, ...more],
  },
};

interface Found {
  readonly passages: readonly { readonly path: string; readonly text: string }[];
  /** Places in other files: path, lines, and the name of what is there. */
  readonly more?: readonly string[];
}

/** `quarry mcp`: search by the question as it stands, read or search on. The index is complete before the first question. */
export async function quarryWay(
  folder: string,
  env: Readonly<Record<string, string>>,
  manner: keyof typeof manners,
): Promise<Way> {
  const { name, searches } = manners[manner];
  const server = await startServer(process.execPath, [program, 'mcp', folder], { folder, env });
  for (let pending = 1; pending > 0; ) {
    const { data } = await server.call('index_workspace', {});
    const { failed = [] } = data as { failed?: readonly string[] };
    if (failed.length > 0) throw new Error(`Not indexed: ${failed.join(', ')}`);
    ({ pending } = (await server.call('status', {})).data as { pending: number });
  }
  return {
    name,
    introduction: server.introduction,
    async *look(query): AsyncIterable<Shown> {
      const isPassage = (passage: { readonly text: string }) => passage.text.split('\n').length >= minLines;
      for (const [at, wanted] of searches.entries()) {
        const { text, data } = await server.call('search', { query, ...wanted });
        const { passages, more: places = [] } = data as Found;
        yield { text, files: passages.filter(isPassage).map(({ path }) => path) };
        // In their order, as one who does not know which is right.
        for (const place of at === 0 && manner === 'usual' ? places : []) {
          const [, path = '', lines = ''] = /^(.+?):([\d-]+)/.exec(place) ?? [];
          const read = await server.call('read', { path, lines });
          yield { text: read.text, files: isPassage(read.data as { text: string }) ? [path] : [] };
        }
      }
    },
    close: () => server.client.close(),
  };
}
