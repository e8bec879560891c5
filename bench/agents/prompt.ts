import { blockMarks, instructionLines } from '../../src/agents/texts.ts';
import { type Arm, plainPrograms, quoted } from './arms.ts';
import { descriptions } from './code-bases.ts';
import type { Question } from './questions.ts';
import type { Run } from './run-folder.ts';

/** Where an agent of a run works. */
export interface PromptPlaces {
  readonly program: string;
  readonly answers: string;
}

/** What an agent is told. Arms differ in their programs, and in the instructions that an installed Quarry gives. */
export function promptFor(
  arm: Arm,
  { code }: Pick<Run, 'code'>,
  questions: readonly Question[],
  { program, answers }: PromptPlaces,
): string {
  const programs = [...plainPrograms, ...(arm.program === undefined ? [] : ['quarry'])];
  const asked = questions.map(({ id, question }) => `- \`${id}\`: ${question}`);
  return `${[
    `Answer ${questions.length} questions about the source code of ${code}, ${descriptions[code]}.`,
    '',
    '## How you look at the code',
    `- Only by this program, one command line at a time: \`${quoted(program)} 'COMMAND'\`. Where quotes get in the way, give it the command on standard input.`,
    '- The command runs in bash, in the top folder of the code. Output is cut at 30,000 characters.',
    `- There are these programs, and what bash itself has: ${programs.join(', ')}. Pipes and loops work.`,
    '- Use no other tool to search or read, start no other agent, and change nothing in the code. Use what you read here, and not what you may remember of this program.',
    '- Each command and each character of output counts against you, and so does each part of an answer that is missing or wrong. Stop looking when you know the answer.',
    ...(arm.program === undefined ? [] : ['', '## Instructions of this project', ...instructionsBlock()]),
    '',
    '## How you answer',
    `- Write a JSON object, question id to answer as text, to \`${answers}\`. This file you write with any tool; it is not counted.`,
    '- At most 130 words an answer: what happens, why, under which conditions, in plain sentences; name the files and functions that decide.',
    '- Answer every part of a question. Say nothing of how you found it, and name no tool.',
    '- When all are answered, end with one line that says so.',
    '',
    '## Questions',
    ...asked,
  ].join('\n')}\n`;
}

function instructionsBlock(): string[] {
  return [blockMarks.first, ...instructionLines('quarry'), blockMarks.last];
}
