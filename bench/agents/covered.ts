// How much of what decides a question does one `quarry search` show? Without agents, for choosing what a search prints.
// Usage: npx node bench/agents/covered.ts WORK ARM CODE [--together N]
//   after `main.ts prepare`; the questions of a code base are asked N at a time (1), and their deciding places are looked for in the output.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { codeNames } from './code-bases.ts';
import { readQuestions } from './questions.ts';
import { readRun, roundFolder } from './run-folder.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { together: { type: 'string', default: '1' }, round: { type: 'string', default: '1' } },
});
const [work = '.', arm = 'quarry', code] = positionals;
const chosen = codeNames.filter((name) => name === code || code === undefined);

/** Lines of a definition that count: who has read so many of a long one knows what to read on. */
const enough = 30;

interface Span {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

for (const name of chosen) {
  const { folder, bin, home } = await readRun(
    join(roundFolder(work, Number(values.round)), `${arm}-${name}`),
  );
  const quarry = (words: readonly string[]): string =>
    execFileSync(join(bin, 'quarry'), words, {
      cwd: folder,
      env: { PATH: bin, HOME: home, LANG: 'C.UTF-8' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    });
  const questions = await readQuestions(name);
  const [totals, together] = [
    { places: 0, file: 0, named: 0, shown: 0, characters: 0, calls: 0 },
    Number(values.together),
  ];
  for (let at = 0; at < questions.length; at += together) {
    const some = questions.slice(at, at + together);
    const output = quarry(['search', ...some.map(({ question }) => question)]);
    totals.calls += 1;
    totals.characters += output.length;
    for (const place of some.flatMap(({ places }) => places)) {
      const { path, lines } = JSON.parse(quarry(['read', place, '--json'])) as {
        path: string;
        lines: [number, number];
      };
      const found = coverage(output, { path, first: lines[0], last: lines[1] });
      totals.places += 1;
      if (found.file) totals.file += 1;
      if (found.named) totals.named += 1;
      totals.shown += found.share;
      if (process.env.VERBOSE) console.log(place, lines.join('-'), JSON.stringify(found));
    }
  }
  const { places, file, named, shown, characters, calls } = totals;
  const share = (count: number): string => (count / places).toFixed(2);
  console.log(
    `${name}: ${places} places; file named ${share(file)}, lines named ${share(named)}, text shown ${share(shown)}; ${calls} calls, ${characters} characters`,
  );
}

/** Whether the file of a place is named in an output, lines of it are, and how much of its text is there. */
function coverage(output: string, { path, first, last }: Span) {
  const shown = new Set<number>();
  let current = '';
  let isNamed = false;
  for (const line of output.split('\n')) {
    const [, head] = /^\d+\. ([^:]+):\d+/.exec(line) ?? [];
    if (head !== undefined) current = head;
    for (const [, cited, from, to = from] of line.matchAll(/([\w./@-]+):(\d+)(?:-(\d+))?/g))
      if (cited === path && Number(from) <= last && Number(to) >= first) isNamed = true;
    // A file with the names that it defines, each with its lines.
    const [, listing] = /^([\w./@-]+): \S+ \d+(?:-\d+)?(?:, |$)/.exec(line) ?? [];
    if (listing === path)
      for (const [, from, to = from] of line.matchAll(/ (\d+)(?:-(\d+))?(?=, |$)/g))
        if (Number(from) <= last && Number(to) >= first) isNamed = true;
    const [, number] = /^\s*(\d+) *│/.exec(line) ?? [];
    if (number !== undefined && current === path) shown.add(Number(number));
  }
  let count = 0;
  for (let line = first; line <= last; line += 1) if (shown.has(line)) count += 1;
  return {
    file: output.includes(path),
    named: isNamed || count > 0,
    share: Math.min(1, count / Math.min(enough, last - first + 1)),
  };
}
