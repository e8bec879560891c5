import { plainArm } from './arms.ts';
import type { CodeName } from './code-bases.ts';
import { readQuestions } from './questions.ts';
import { readLog, runsOf } from './run-folder.ts';
import { type Judged, readJudged } from './sheet.ts';

/** What one agent cost and reached in a round. */
export interface RunResult {
  readonly round: number;
  readonly arm: string;
  readonly code: CodeName;
  readonly commands: number;
  /** Characters of its commands. */
  readonly charactersIn: number;
  /** Characters that it was shown. */
  readonly charactersOut: number;
  readonly seconds: number;
  /** Points of its answers by question; undefined where the round is not judged. */
  readonly met: ReadonlyMap<string, number> | undefined;
  /** Points of complete answers. */
  readonly points: number;
}

/** Reads the results of a round; runs that have not begun are left out. */
export async function readRound(work: string, round: number): Promise<RunResult[]> {
  const judged = await readJudged(work, round);
  const results: RunResult[] = [];
  for (const { folder, run } of await runsOf(work, round)) {
    const log = await readLog(folder);
    if (log.length === 0) continue;
    const questions = await readQuestions(run.code);
    const sum = (of: (one: (typeof log)[number]) => number) => log.reduce((all, one) => all + of(one), 0);
    results.push({
      round,
      arm: run.arm,
      code: run.code,
      commands: log.length,
      charactersIn: sum((one) => one.in),
      charactersOut: sum((one) => one.out),
      seconds: sum(({ ms }) => ms) / 1000,
      met:
        judged &&
        metIn(
          judged,
          run.arm,
          questions.map(({ id }) => id),
        ),
      points: questions.reduce((all, { points }) => all + points.length, 0),
    });
  }
  return results;
}

/** A question without an answer has no point met; a run of which no answer was on the sheet is not judged. */
function metIn(judged: Judged, arm: string, ids: readonly string[]): ReadonlyMap<string, number> | undefined {
  const own = judged.get(arm);
  return own && ids.some((id) => own.has(id)) ? new Map(ids.map((id) => [id, own.get(id) ?? 0])) : undefined;
}

/** The tables of all rounds: each run, and each arm beside the plain one within its rounds. */
export function reportOf(results: readonly RunResult[]): string {
  return `${[...runTable(results), '', ...comparison(results)].join('\n')}\n`;
}

function runTable(results: readonly RunResult[]): string[] {
  const order = results.toSorted(
    (one, other) =>
      one.round - other.round || one.code.localeCompare(other.code) || rankOf(one) - rankOf(other),
  );
  return [
    '| round | code | arm | commands | characters out | characters in | seconds | points met |',
    '|---|---|---|---|---|---|---|---|',
    ...order.map((result) => {
      const points = result.met ? `${metOf(result)} of ${result.points}` : 'not judged';
      const { commands, charactersOut, charactersIn, seconds } = result;
      const numbers = [commands, charactersOut, charactersIn].map((each) => each.toLocaleString('en'));
      return row([result.round, result.code, result.arm, ...numbers, seconds.toFixed(1), points]);
    }),
  ];
}

/** Each arm beside plain tools: what it costs for one of theirs, only where both answered the same questions in one round. */
function comparison(results: readonly RunResult[]): string[] {
  const lines = [
    '| arm | code | rounds | commands | characters out | seconds | points | better, equal, worse |',
    '|---|---|---|---|---|---|---|---|',
  ];
  const arms = [...new Set(results.map(({ arm }) => arm))].filter((arm) => arm !== plainArm.name);
  for (const arm of arms) {
    const pairs = pairsOf(results, arm);
    for (const [code, own] of [...Map.groupBy(pairs, ({ one }) => one.code), ['all', pairs] as const])
      if (own.length > 0) lines.push(row([arm, code, ...cellsOf(own)]));
  }
  return [
    ...lines,
    '',
    'Ratios to the plain arm of the same round, the geometric mean over rounds; below 1 is less. **Bold** is a loss.',
  ];
}

/** A run, and the plain one of the same round and code. */
interface Pair {
  readonly one: RunResult;
  readonly plain: RunResult;
}

function pairsOf(results: readonly RunResult[], arm: string): Pair[] {
  return results.flatMap((one) => {
    const plain = results.find(
      (other) => other.arm === plainArm.name && other.round === one.round && other.code === one.code,
    );
    return one.arm === arm && plain ? [{ one, plain }] : [];
  });
}

/** Costs are added up over a round before they are compared, so that a small code base does not weigh like a large one. */
function cellsOf(pairs: readonly Pair[]): (string | number)[] {
  const rounds = [...Map.groupBy(pairs, ({ one }) => one.round).values()];
  const ratio = (of: (result: RunResult) => number): string => {
    const logs = rounds.map((own) => Math.log(sumOf(own, 'one', of) / sumOf(own, 'plain', of)));
    const mean = Math.exp(logs.reduce((sum, each) => sum + each, 0) / logs.length);
    return mean > 1 ? `**${mean.toFixed(2)}**` : mean.toFixed(2);
  };
  const costs = [
    ratio(({ commands }) => commands),
    ratio(({ charactersOut }) => charactersOut),
    ratio(({ seconds }) => seconds),
  ];
  return [rounds.length, ...costs, ...pointCells(pairs.filter(({ one, plain }) => one.met && plain.met))];
}

function pointCells(pairs: readonly Pair[]): string[] {
  if (pairs.length === 0) return ['not judged', ''];
  const [own, plain] = [sumOf(pairs, 'one', metOf), sumOf(pairs, 'plain', metOf)];
  const signs = pairs.flatMap(({ one, plain: other }) =>
    [...(one.met ?? [])].map(([id, met]) => Math.sign(met - (other.met?.get(id) ?? 0))),
  );
  const count = (sign: number) => signs.filter((each) => each === sign).length;
  const points = `${own} : ${plain}`;
  return [own < plain ? `**${points}**` : points, `${count(1)}, ${count(0)}, ${count(-1)}`];
}

function sumOf(pairs: readonly Pair[], side: keyof Pair, of: (result: RunResult) => number): number {
  return pairs.reduce((sum, pair) => sum + of(pair[side]), 0);
}

function metOf({ met }: RunResult): number {
  return [...(met?.values() ?? [])].reduce((sum, each) => sum + each, 0);
}

/** The plain arm stands first. */
function rankOf({ arm }: RunResult): number {
  return arm === plainArm.name ? 0 : 1;
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}
