// How much of what decides a question does `read FILE --for QUESTION` keep, and how much of the file? Without agents.
// Usage: npx node bench/agents/folded.ts WORK ARM [CODE]
//   after `main.ts prepare`; reads each file with a deciding place for its question, and looks for the lines of that place.
import { join } from 'node:path';
import { mean } from '../../src/evaluation/measures/metrics.ts';
import { openProject } from '../../src/project/open-project.ts';
import { codeNames } from './code-bases.ts';
import { readQuestions } from './questions.ts';
import { readRun, roundFolder } from './run-folder.ts';

const [work = '.', arm = 'quarry', code] = process.argv.slice(2);
/** Lines of a definition that count: who has read so many of a long one knows what to read on. */
const enough = 30;
const everything = 1_000_000;

for (const name of codeNames.filter((each) => each === code || code === undefined)) {
  const { folder, home } = await readRun(join(roundFolder(work, 1), `${arm}-${name}`));
  // An index of another user would not be used.
  process.env.HOME = home;
  const project = await openProject(folder);
  const rows: {
    readonly share: number;
    readonly kept: number;
    readonly isAny: boolean;
    readonly whole: number;
  }[] = [];
  for (const { question, places } of await readQuestions(name))
    for (const place of places) {
      const options = { update: false, maxTokens: everything };
      const { textLines, uri } = await project.read({ place, ...options });
      const whole = await project.read({ path: uri, ...options });
      const { text, folded = [] } = await project.read({
        place: uri,
        for: question,
        update: false,
        maxTokens: 4096,
      });
      const [first, last] = textLines;
      let shown = 0;
      for (let line = first; line <= last; line += 1)
        if (!folded.some(({ lines }) => lines[0] <= line && line <= lines[1])) shown += 1;
      const share = Math.min(1, shown / Math.min(enough, last - first + 1));
      rows.push({ share, isAny: shown > 0, kept: text.length, whole: whole.text.length });
      if (process.env.VERBOSE) console.log(place, textLines.join('-'), shown, text.length, whole.text.length);
    }
  await project.close();
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
  console.log(
    `${name}: ${rows.length} deciding places; any line of ${mean(rows.map(({ isAny }) => Number(isAny))).toFixed(2)}, share of lines ${mean(rows.map(({ share }) => share)).toFixed(2)}; ` +
      `${Math.round(sum(({ kept }) => kept) / rows.length)} characters of ${Math.round(sum(({ whole }) => whole) / rows.length)} a file`,
  );
}
