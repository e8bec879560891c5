import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { queryTerms } from '../../src/core/text/terms.ts';
import type { Shown, Way } from './way.ts';

/** Files of a list that an agent looks at, and lines it reads of one: the limits of usual tools. */
const maxListed = 50;
const maxLines = 2000;
/** Lines of a window around the best place of a file. */
const windowLines = 80;
/** A word that more than this share of the files has tells nothing; an agent leaves it out. */
const commonShare = 0.4;

/** A file with the words it has: by its name, and by line. */
interface Match {
  readonly path: string;
  readonly words: ReadonlySet<string>;
  /** Words by line, counted from 1. */
  readonly lines: ReadonlyMap<number, ReadonlySet<string>>;
}

/** Words of a question that are worth looking for, of which no part of a name is looked for twice. */
export function searchWords(question: string): string[] {
  return [...new Set(queryTerms(question))].filter((word) => word.length > 2).slice(0, 12);
}

/**
 * Searches with ripgrep for all words that are not everywhere, and lists the files: those with most different words first,
 * a word in the name counting too, then those with most lines. No tool sorts so well; an agent may.
 */
function bestFiles(folder: string, question: string): Match[] {
  const files = linesOf(folder, ['--files']);
  const matches = new Map<string, { words: Set<string>; lines: Map<number, Set<string>> }>();
  for (const word of searchWords(question)) {
    const found = linesOf(folder, ['-inF', '--no-heading', '--with-filename', '--max-columns=300', word]);
    const paths = new Set(found.map((line) => line.slice(0, line.indexOf(':'))));
    const isCommon = files.length > 5 && paths.size > files.length * commonShare;
    const named = files.filter((path) => basename(path).toLowerCase().includes(word));
    const of = (path: string) => {
      const match = matches.get(path) ?? { words: new Set(), lines: new Map() };
      matches.set(path, match);
      match.words.add(word);
      return match;
    };
    for (const path of named) of(path);
    for (const line of isCommon ? [] : found) {
      const [, path = '', number = ''] = /^(.+?):(\d+):/.exec(line) ?? [];
      if (path === '') continue;
      const { lines } = of(path);
      lines.set(Number(number), (lines.get(Number(number)) ?? new Set()).add(word));
    }
  }
  return [...matches]
    .map(([path, match]) => ({ path, ...match }))
    .toSorted((one, other) => other.words.size - one.words.size || other.lines.size - one.lines.size);
}

function linesOf(folder: string, args: readonly string[]): string[] {
  try {
    const output = execFileSync('rg', ['--sort=path', ...args], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.split('\n').filter((line) => line !== '');
  } catch {
    // It ends so where nothing is found.
    return [];
  }
}

/** Lists files by words, then reads one after the other: whole, or the window of the file where most words stand. */
export function grepWay(folder: string, reads: 'files' | 'windows'): Way {
  return {
    name: reads === 'files' ? 'grep, then read files' : 'grep, then read windows',
    introduction: '',
    async *look(question): AsyncIterable<Shown> {
      const best = bestFiles(folder, question);
      const listed = best.slice(0, maxListed);
      yield { text: listed.map(({ path, lines }) => `${path}:${lines.size}`).join('\n'), files: [] };
      for (const match of listed) {
        const lines = readFileSync(join(folder, match.path), 'utf8').split('\n');
        const first = reads === 'files' ? 0 : startOfWindow(match, lines.length);
        const text = lines.slice(first, first + (reads === 'files' ? maxLines : windowLines)).join('\n');
        yield { text, files: [match.path] };
      }
    },
    async close() {},
  };
}

/** The first line of the window with most different words, then with most lines that have one. */
function startOfWindow({ lines }: Match, count: number): number {
  let best = { start: 0, words: 0, hits: 0 };
  for (const line of lines.keys()) {
    const start = Math.max(0, Math.min(line - 1 - windowLines / 4, count - windowLines));
    const inside = [...lines].filter(([each]) => each > start && each <= start + windowLines);
    const words = new Set(inside.flatMap(([, found]) => [...found])).size;
    if (words > best.words || (words === best.words && inside.length > best.hits))
      best = { start, words, hits: inside.length };
  }
  return best.start;
}
