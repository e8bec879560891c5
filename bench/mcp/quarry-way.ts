import { fileURLToPath } from 'node:url';
import { fewestLines, type Shown, startServer, type Way } from './way.ts';

const program = fileURLToPath(new URL('../../src/surfaces/cli/main.ts', import.meta.url));

/** What an agent asks for, one after the other, until it has found the file. */
const more = [
  { top_k: 20, max_tokens: 4000 },
  { top_k: 50, max_tokens: 12_000 },
];
const manners = {
  usual: { name: 'quarry mcp: search, then for more', searches: [{}, ...more] },
  sparing: {
    name: 'quarry mcp: search with max_tokens 300, then as usual, then for more',
    searches: [{ max_tokens: 300 }, {}, ...more],
  },
};

interface Found {
  readonly passages: readonly { readonly path: string; readonly text: string }[];
}

/** `quarry mcp`: search by the question as it stands, then for more. The index is complete before the first question. */
export async function quarryWay(
  folder: string,
  env: Readonly<Record<string, string>>,
  manner: keyof typeof manners,
): Promise<Way> {
  const { name, searches } = manners[manner];
  const server = await startServer(process.execPath, [program, 'mcp', folder], { folder, env });
  for (let pending = 1; pending > 0; ) {
    await server.call('index_workspace', {});
    ({ pending } = (await server.call('status', {})).data as { pending: number });
  }
  return {
    name,
    introduction: server.introduction,
    async *look(query): AsyncIterable<Shown> {
      for (const wanted of searches) {
        const { text, data } = await server.call('search', { query, ...wanted });
        const { passages } = data as Found;
        const whole = passages.filter((passage) => passage.text.split('\n').length >= fewestLines);
        yield { text, files: whole.map(({ path }) => path) };
      }
    },
    close: () => server.client.close(),
  };
}
