import { expect, test } from 'vitest';
import { instructionLines } from '../../src/agents/texts.ts';
import { plainArm } from './arms.ts';
import { promptFor } from './prompt.ts';
import { readQuestions } from './questions.ts';

const questions = await readQuestions('dircproxy');
const places = { program: '/round/do', answers: '/round/answers.json' };
const promptOf = (arm: { name: string; program?: string }) =>
  promptFor(arm, { code: 'dircproxy' }, questions, places).split('\n');

test('arms are told the same, but for their programs and the instructions that an installed Quarry gives', () => {
  const plain = promptOf(plainArm);
  const quarry = promptOf({ name: 'quarry', program: '/main.js' });
  const added = quarry.filter((line) => !plain.includes(line));
  const taken = plain.filter((line) => !quarry.includes(line));
  expect(taken).toEqual([expect.stringContaining('rg, sed, cat, ls, find, awk, head. Pipes')]);
  expect(added).toEqual([
    expect.stringContaining('rg, sed, cat, ls, find, awk, head, quarry. Pipes'),
    '## Instructions of this project',
    '<!-- quarry: begin -->',
    ...instructionLines('quarry'),
    '<!-- quarry: end -->',
  ]);
});

test('an agent gets the questions, and nothing of their answers', () => {
  const prompt = promptOf(plainArm).join('\n');
  for (const { id, question, points, places: deciding } of questions) {
    expect(prompt).toContain(`\`${id}\`: ${question}`);
    for (const text of [...points, ...deciding]) expect(prompt).not.toContain(text);
  }
});
