// Compares agents with and without Quarry: how much they ask and read until they have answered, and how much of it is right.
// Usage: npx node bench/agents/main.ts prepare WORK [--round N] [--arm NAME=PROGRAM]… [--code NAME]…
//        npx node bench/agents/main.ts sheet WORK [--round N]      the answers of a round, shuffled, for a judge
//        npx node bench/agents/main.ts report WORK [--round N]…    tables, of all rounds by default
//        npx node bench/agents/main.ts stop WORK [--arm NAME=PROGRAM]…
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { QuarryError } from '../../src/core/errors.ts';
import { defaultArm, parseArm, plainArm } from './arms.ts';
import { codeNames } from './code-bases.ts';
import { prepare, stopEngines } from './prepare.ts';
import { readRound, reportOf } from './report.ts';
import { writeSheet } from './sheet.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    round: { type: 'string', multiple: true },
    arm: { type: 'string', multiple: true },
    code: { type: 'string', multiple: true },
  },
});
const [command, folder = '.'] = positionals;
const work = resolve(folder);
const rounds = (values.round ?? []).map(Number);
const round = rounds[0] ?? 1;
const arms = [plainArm, ...(values.arm?.map(parseArm) ?? [defaultArm])];

async function allRounds(): Promise<number[]> {
  const names = await readdir(join(work, 'rounds'));
  return names.map(Number).sort((one, other) => one - other);
}

if (command === 'prepare') {
  const codes = codeNames.filter((name) => values.code?.includes(name) ?? true);
  const say = (line: string) => console.error(line);
  for (const prompt of await prepare({ work, round, arms, codes, say })) console.log(prompt);
} else if (command === 'sheet') {
  const { path, warnings } = await writeSheet(work, round);
  for (const warning of warnings) console.error(warning);
  console.log(path);
} else if (command === 'report') {
  const chosen = rounds.length > 0 ? rounds : await allRounds();
  const results = await Promise.all(chosen.map((each) => readRound(work, each)));
  process.stdout.write(reportOf(results.flat()));
} else if (command === 'stop') {
  await stopEngines(work, arms);
} else {
  throw new QuarryError('usage-invalid', 'There is nothing to do.', 'Say prepare, sheet, report or stop.');
}
