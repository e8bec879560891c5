import { counted } from '../../core/text/counted.ts';
import type { EvaluatedSet, Evaluation } from '../evaluation-result.ts';
import { floorSentence } from '../measures/floors.ts';
import type { Block, TableBlock } from './blocks.ts';
import { latencyChart } from './latency-chart.ts';
import { movedBlocks, qualityBlocks, verdictBlocks, verdictText, warningBlocks } from './quality-blocks.ts';

/** Questions that are listed as the weakest of a set. */
const weakest = 20;

/** The whole report in its order: what was measured, what differs, how long it took, what went wrong. */
export function reportBlocks(evaluation: Evaluation): Block[] {
  const { sets, runs, created_at, seconds, comparisons, warnings } = evaluation;
  const questions = sets.reduce((sum, { summaries }) => sum + (summaries[0]?.questions ?? 0), 0);
  const about = `${counted(questions, 'question')} in ${counted(sets.length, 'set')}, ${counted(runs.length, 'run')}, ${seconds.toFixed(0)} s, ${created_at.slice(0, 16).replace('T', ' ')} UTC`;
  return [
    { kind: 'heading', level: 1, text: 'Evaluation' },
    { kind: 'text', text: about, tone: 'quiet' },
    ...verdicts(evaluation),
    { kind: 'heading', level: 2, text: 'Quality' },
    ...qualityBlocks(evaluation),
    ...comparisons.flatMap((comparison, at): Block[] => [
      {
        kind: 'heading',
        level: 2,
        text: `${comparison.set ?? 'Mean of sets'}: ${comparison.after} against ${comparison.before}`,
      },
      ...verdictBlocks(comparison, at),
      ...movedBlocks(comparison),
    ]),
    {
      kind: 'chart',
      name: 'latency',
      drawing: latencyChart(evaluation),
      caption: 'Time of one search, each step of the scale doubles it; marks stand at p50 and p95.',
    },
    ...sets.flatMap(weakestBlocks),
    ...warningBlocks([
      ...warnings,
      ...sets.flatMap((set) => set.warnings.map((warning) => `${set.name}: ${warning}`)),
    ]),
    { kind: 'folded', summary: 'Settings', blocks: [settingsTable(evaluation)] },
  ];
}

/** The answer first: one line for each floor, and for each comparison of all sets, or of the only one. */
function verdicts({ comparisons, floors, sets }: Evaluation): Block[] {
  const held = floors.map((floor): Block => {
    const tone = floor.reached ? 'good' : 'bad';
    return { kind: 'text', text: floorSentence(floor), tone };
  });
  const compared = comparisons.filter(({ set }) => set === undefined || sets.length === 1);
  return [...held, ...compared.map(verdictText)];
}

function weakestBlocks(set: EvaluatedSet): Block[] {
  const run = set.summaries[0]?.run ?? '';
  const rows = set.questions
    .flatMap(({ text, answers }) => {
      const answer = answers[run];
      return answer ? { text, score: answer.scores.ndcg_10, found: answer.found.slice(0, 3) } : [];
    })
    .filter(({ score }) => score < 1)
    .sort((a, b) => a.score - b.score)
    .slice(0, weakest)
    .map(({ text, score, found }) => [text, found.join(', ') || 'nothing', score.toFixed(2)]);
  if (rows.length === 0) return [];
  const table: Block = { kind: 'table', head: ['question', 'found first', 'nDCG@10'], words: 2, rows };
  return [
    { kind: 'folded', summary: `${set.name}: weakest answers of ${run} (${rows.length})`, blocks: [table] },
  ];
}

function settingsTable({ runs, sets }: Evaluation): TableBlock {
  const size = sets.map(({ name, documents, chunks }) => [
    name,
    `${counted(documents, 'document')}, ${counted(chunks, 'chunk')}`,
  ]);
  const rows = runs.map(({ name, settings, dense_weight }) => {
    const given = Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    const mode = dense_weight === undefined ? [] : [dense_weight === 1 ? 'vectors alone' : 'text alone'];
    return [name, [...mode, ...given].join(', ') || 'as configured'];
  });
  return { kind: 'table', head: ['set or run', 'what it is'], words: 2, rows: [...size, ...rows] };
}
