import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { type Question, readQuestions } from './questions.ts';
import { readRound, reportOf } from './report.ts';
import { roundFolder } from './run-folder.ts';
import { judgedBy, type Sheet, shuffledSheet, writeSheet } from './sheet.ts';

const question = (id: string): Question => ({
  id,
  code: 'dircproxy',
  question: 'What does the program do when the other side has gone away?',
  points: ['It closes the socket.', 'It tries again later.'],
  places: ['src/main.c#main'],
});
const given = ['dircproxy-01', 'dircproxy-02', 'dircproxy-03'].flatMap((id) =>
  ['plain', 'quarry'].map((arm) => ({ arm, question: question(id), answer: `${id} by ${arm.length}` })),
);

describe('the sheet of a judge', () => {
  test('has every answer once, those to one question together, and names no arm', () => {
    const { sheet, key } = shuffledSheet(given);
    expect(sheet.items.map(({ answer }) => answer).sort()).toEqual(given.map(({ answer }) => answer).sort());
    expect(sheet.items.map(({ item }) => item)).toEqual(['1A', '1B', '2A', '2B', '3A', '3B']);
    const ids = sheet.items.map(({ item }) => key[item]?.id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).toBe(ids[3]);
    expect(sheet.items.map(({ met }) => met)).toEqual(Array(6).fill([null, null]));
    expect(JSON.stringify(sheet)).not.toMatch(/plain|quarry/);
  });

  test('has the arms in an order that tells nothing, and the key says whose an answer is', () => {
    const orders = new Set<string>();
    for (let round = 0; round < 100; round += 1) {
      const { sheet, key } = shuffledSheet(given);
      orders.add(sheet.items.map(({ item }) => key[item]?.arm).join(' '));
      for (const { item, answer } of sheet.items)
        expect(answer).toBe(`${key[item]?.id} by ${key[item]?.arm.length}`);
    }
    expect(orders.size).toBe(8);
  });

  test('gives the points met back to their arms', () => {
    const { sheet, key } = shuffledSheet(given);
    const items = sheet.items.map((item) => ({
      ...item,
      met: [true, key[item.item]?.arm === 'quarry' && key[item.item]?.id !== 'dircproxy-02'],
    }));
    const judged = judgedBy({ ...sheet, items }, key);
    expect([...(judged.get('plain')?.values() ?? [])]).toEqual([1, 1, 1]);
    expect(judged.get('quarry')?.get('dircproxy-02')).toBe(1);
    expect(judged.get('quarry')?.get('dircproxy-03')).toBe(2);
  });

  test.each([
    ['is not judged', [null, true]],
    ['has too few judgements', [true]],
  ])('is refused where an item %s', (_, met) => {
    const { sheet, key } = shuffledSheet(given.slice(0, 1));
    const items = sheet.items.map((item) => ({ ...item, met }));
    expect(() => judgedBy({ ...sheet, items }, key)).toThrow('Item 1A is not judged.');
  });
});

/** A run of a round as agents leave it. */
async function leaveRun(work: string, arm: string, answers: object, costs: readonly number[]) {
  const folder = join(roundFolder(work, 1), `${arm}-dircproxy`);
  await mkdir(folder, { recursive: true });
  const run = { round: 1, arm, code: 'dircproxy', folder: '/code', bin: '/bin', home: '/home' };
  await writeFile(join(folder, 'run.json'), JSON.stringify(run));
  await writeFile(join(folder, 'answers.json'), JSON.stringify(answers));
  const lines = costs.map((out) =>
    JSON.stringify({ at: '', command: 'ls', ms: 500, in: 2, out, whole: out, exit: 0 }),
  );
  await writeFile(join(folder, 'log.jsonl'), `${lines.join('\n')}\n`);
}

describe('a round', () => {
  test('goes from the answers of agents over a judged sheet to its table', async () => {
    const work = await temporaryFolder();
    const [first, second] = await readQuestions('dircproxy');
    if (!first || !second) throw new Error('There are no questions.');
    await leaveRun(work, 'plain', { [first.id]: 'It closes.', [second.id]: 'By ./do rg.' }, [1000, 3000]);
    await leaveRun(work, 'quarry', { [first.id]: 'Something else.' }, [1000]);
    const { path, warnings } = await writeSheet(work, 1);
    expect(warnings).toEqual([expect.stringContaining(`${second.id}: the answer names a tool`)]);
    const before = reportOf(await readRound(work, 1));
    expect(before).toContain('| 1 | dircproxy | plain | 2 | 4,000 | 4 | 1.0 | not judged |');
    const sheet = JSON.parse(await readFile(path, 'utf8')) as Sheet;
    expect(sheet.items).toHaveLength(3);
    for (const item of sheet.items) item.met = item.points.map(() => item.answer !== 'By ./do rg.');
    await writeFile(path, JSON.stringify(sheet));
    const [all, points] = [
      (await readQuestions('dircproxy')).reduce((sum, one) => sum + one.points.length, 0),
      first.points.length,
    ];
    const after = reportOf(await readRound(work, 1));
    expect(after).toContain(`| 1 | dircproxy | plain | 2 | 4,000 | 4 | 1.0 | ${points} of ${all} |`);
    expect(after).toContain(`| 1 | dircproxy | quarry | 1 | 1,000 | 2 | 0.5 | ${points} of ${all} |`);
    expect(after).toContain(`| quarry | dircproxy | 1 | 0.50 | 0.25 | 0.50 | ${points} : ${points} |`);
    await expect(writeSheet(work, 1)).rejects.toThrow('is judged already');
  });
});
