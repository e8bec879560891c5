import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { searchWords } from './grep-ways.ts';
import { type Shown, startServer, type Way } from './way.ts';

/** Where other servers are installed, and what their processes get. */
export interface ServerPlace {
  /** A folder with `node_modules`. */
  readonly servers: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The reference server for files: finds files by the words of the question in their names, and reads them. */
export async function filesystemWay(folder: string, { servers, env }: ServerPlace): Promise<Way> {
  const main = join(servers, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
  const server = await startServer(process.execPath, [main, folder], { folder, env });
  return {
    name: 'server-filesystem: search_files, then read_text_file',
    introduction: server.introduction,
    async *look(question): AsyncIterable<Shown> {
      const counts = new Map<string, number>();
      for (const word of searchWords(question)) {
        const { text } = await server.call('search_files', {
          path: folder,
          pattern: `**/*${word}*`,
          excludePatterns: ['**/.quarry/**'],
        });
        yield { text, files: [] };
        for (const line of text.split('\n'))
          if (line.startsWith(folder) && statSync(line).isFile())
            counts.set(line, (counts.get(line) ?? 0) + 1);
      }
      for (const [path] of [...counts].toSorted(([, one], [, other]) => other - one)) {
        const { text } = await server.call('read_text_file', { path });
        yield { text, files: [relative(folder, path)] };
      }
    },
    close: () => server.client.close(),
  };
}

/** ripgrep behind the protocol: counts matches of all words, then shows the lines around them, most matches first. */
export async function ripgrepWay(folder: string, { servers, env }: ServerPlace): Promise<Way> {
  const main = join(servers, 'node_modules/.bin/mcp-ripgrep');
  const server = await startServer(main, [], { folder, env });
  return {
    name: 'mcp-ripgrep: count-matches, then search with context',
    introduction: server.introduction,
    async *look(question): AsyncIterable<Shown> {
      const pattern = searchWords(question).join('|');
      const { text } = await server.call('count-matches', { pattern, path: folder, caseSensitive: false });
      yield { text, files: [] };
      const counts = [...text.matchAll(/^(.+?):(\d+)\s*$/gm)].map(([, path = '', count]) => ({
        path,
        count: Number(count),
      }));
      for (const { path } of counts.toSorted((one, other) => other.count - one.count)) {
        const whole = path.startsWith('/') ? path : join(folder, path);
        const input = { pattern, path: whole, caseSensitive: false, context: 5, maxResults: 20 };
        yield {
          text: (await server.call('advanced-search', input)).text,
          files: [relative(folder, whole)],
        };
      }
    },
    close: () => server.client.close(),
  };
}

interface QmdResults {
  readonly results: readonly { readonly file: string; readonly line: number }[];
}

/** A search server for notes and code, by words alone (no model of it comes with its package), read as it advises. */
export async function qmdWay(folder: string, { servers, env }: ServerPlace): Promise<Way> {
  const main = join(servers, 'node_modules/.bin/qmd');
  const own = { ...env, HOME: join(env.HOME ?? '', `qmd-${folder.replaceAll(/\W/g, '-')}`) };
  const mask = '**/*.{js,ts,mjs,cjs,jsx,tsx,json,md}';
  execFileSync('mkdir', ['-p', own.HOME]);
  execFileSync(main, ['collection', 'add', folder, '--name', 'code', '--mask', mask], {
    cwd: folder,
    env: own,
    stdio: 'ignore',
  });
  const server = await startServer(main, ['mcp'], { folder, env: own });
  return {
    name: 'qmd: query by words, then get',
    introduction: server.introduction,
    async *look(question): AsyncIterable<Shown> {
      // Its words must all be there: fewer words find more.
      const words = searchWords(question);
      const searches = [words, ...words.map((word) => [word])].map((some) => ({
        type: 'lex',
        query: some.join(' '),
      }));
      const input = { searches: searches.slice(0, 10), limit: 20, rerank: false };
      const { text, data } = await server.call('query', input);
      yield { text, files: [] };
      for (const { file, line } of (data as QmdResults | undefined)?.results ?? []) {
        const place = { file, fromLine: Math.max(1, line - 20), maxLines: 80 };
        yield { text: (await server.call('get', place)).text, files: [file.replace(/^code\//, '')] };
      }
    },
    close: () => server.client.close(),
  };
}
