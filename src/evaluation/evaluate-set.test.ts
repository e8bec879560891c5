import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openProject } from '../project/open-project.ts';
import { evaluateSet } from './evaluate-set.ts';
import type { Answer, EvaluatedSet } from './evaluation-result.ts';
import type { GivenSettings } from './evaluation-set.ts';
import { readOwnQuestions } from './own-questions.ts';

interface Row {
  readonly id: string;
  readonly text: string;
  readonly relevant: readonly string[];
}

/** Evaluates questions about these files; each of the settings is a run, named by its number. */
async function evaluated(
  files: Record<string, string>,
  rows: readonly Row[],
  ...trials: GivenSettings[]
): Promise<EvaluatedSet> {
  const questions = rows.map((row) => JSON.stringify(row)).join('\n');
  const folder = await temporaryFolder({ ...files, 'questions.jsonl': questions });
  const settings = { 'embedder.driver': 'hashing' };
  const project = await openProject(folder, { settings });
  try {
    const cacheFolder = await temporaryFolder();
    const set = await readOwnQuestions(join(folder, 'questions.jsonl'), project, settings, { cacheFolder });
    const runs = [{}, ...trials].map((trial, at) => ({
      name: String(at),
      settings: { ...settings, ...trial },
    }));
    const work = evaluateSet(set, runs);
    let step = await work.next();
    while (!step.done) step = await work.next();
    return step.value;
  } finally {
    await project.close();
  }
}

const answersOf = ({ questions }: EvaluatedSet, run = '0'): Record<string, Answer | undefined> =>
  Object.fromEntries(questions.map(({ id, answers }) => [id, answers[run]]));

describe('copies', () => {
  const lines = (count: number, words: string) =>
    Array.from({ length: count }, (_, at) => `${words} in line ${at}, and so it goes on.\n`).join('');
  const tides = `# Tides\n\n${lines(8, 'The tide turns at noon and boats leave the harbour')}`;
  const files = {
    // Eighteen lines here, ten lines from line 34 on there.
    'one/tides.md': tides.replaceAll('goes on.', 'goes\non.'),
    'two/tides.md': `# Bread\n\n${lines(30, 'The dough rests')}\n${tides}`,
    'other.md': `# Other\n\n${lines(8, 'Nothing')}`,
  };
  const ask = (id: string, ...relevant: string[]): Row => ({
    id,
    text: 'when does the tide turn?',
    relevant,
  });
  const off = { 'search.off': ['duplicates'] };

  test('that are shown with a hit have found what they stand for, whichever was ranked first', async () => {
    const rows = [ask('one', 'one/tides.md'), ask('two', 'two/tides.md'), ask('either', 'tides.md')];
    const set = await evaluated(files, rows, off);
    for (const id of ['one', 'two', 'either']) expect(answersOf(set)[id]?.scores.ndcg_10).toBe(1);
    // Unfolded, one of the two stands below the other: the fold is what shows both at the top.
    const unfolded = ['one', 'two'].map((id) => answersOf(set, '1')[id]?.scores.ndcg_10 ?? 1);
    expect(Math.min(...unfolded)).toBeLessThan(1);
  });

  test('are found once each where both are labelled, as if they were not folded', async () => {
    const set = await evaluated(files, [ask('both', 'one/tides.md', 'two/tides.md')], off);
    for (const run of ['0', '1']) {
      const { scores, found } = answersOf(set, run).both ?? { found: [] };
      expect(scores).toMatchObject({ ndcg_10: 1, recall_5: 1, hit_1: 1 });
      expect(found.slice(0, 2).sort()).toEqual(['one/tides.md', 'two/tides.md']);
      expect(found).toHaveLength(new Set(found).size);
    }
  });

  test('have found lines that are their own, and not those of the hit', async () => {
    const set = await evaluated(files, [
      ask('one', 'one/tides.md:17-18'),
      ask('two', 'two/tides.md:43'),
      ask('elsewhere', 'two/tides.md:17-18'),
    ]);
    const answers = answersOf(set);
    expect(set.warnings).toEqual([]);
    expect([answers.one?.scores.hit_1, answers.two?.scores.hit_1]).toEqual([1, 1]);
    expect([answers.one?.found[0], answers.two?.found[0]]).toEqual([
      'one/tides.md:1-18',
      'two/tides.md:34-43',
    ]);
    expect(answers.elsewhere?.scores.hit_1).toBe(0);
  });
});

describe('labels that are wrong', () => {
  const files = {
    'docs/fruit.md': '# Apples\n\nRed apples in summer.\n\n# Pears\n\nGreen pears in autumn.\n',
    'empty.md': '\n',
  };

  test('are reported with their questions, and the other labels count', async () => {
    const set = await evaluated(files, [
      { id: 'pears', text: 'pears in autumn', relevant: ['docs/fruit.md:7', 'docs/fruit.md:700-720'] },
      { id: 'lost', text: 'apples', relevant: ['docs/fruit.md:90'] },
      { id: 'blank', text: 'red apples', relevant: ['docs/fruit.md', 'empty.md'] },
    ]);
    expect(set.label_problems).toMatchObject([
      { kind: 'beyond', label: 'docs/fruit.md:700-720', question: 'pears', text: 'pears in autumn' },
      { kind: 'beyond', label: 'docs/fruit.md:90', question: 'lost' },
      { kind: 'unindexed', label: 'empty.md', question: 'blank' },
    ]);
    expect(set.questions.map(({ id, labels }) => [id, labels])).toEqual([
      ['pears', 1],
      ['blank', 2],
    ]);
    expect(answersOf(set).pears?.scores.ndcg_10).toBe(1);
    expect(set.unjudged).toBe(1);
    expect(set.warnings).toHaveLength(4);
    expect(set.warnings[0]).toBe('Not asked because every label is left out: 1 question.');
  });

  test('are the same for every run, also where a trial has other files', async () => {
    const rows = [{ id: 'q', text: 'pears', relevant: ['docs/fruit.md', 'empty.md'] }];
    const set = await evaluated(files, rows, { 'chunking.sizes': 'large' });
    const recalls = ['0', '1'].map((run) => answersOf(set, run).q?.scores.recall_50);
    expect(recalls).toEqual([0.5, 0.5]);
  });
});
