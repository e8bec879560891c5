import { z } from 'zod';
import type { JudgedQuestion, Label } from './judgement.ts';

/** Ways in which a label is not what its writer meant. */
const kinds = ['absent', 'unindexed', 'ambiguous', 'beyond', 'uncovered'] as const;
type Kind = (typeof kinds)[number];

/** A label that is not what its writer meant, as JSON carries it. */
export const labelProblemSchema = z.object({
  kind: z
    .enum(kinds)
    .describe(
      'Left out: `absent` (no such document), `beyond` (lines after the end of the text). Counts as not found: `unindexed` (a document that is not indexed), `uncovered` (lines without a chunk). Counts: `ambiguous` (several documents).',
    ),
  label: z.string().describe('Path, with its lines where the label has some.'),
  question: z.string().describe('Identity of the question.'),
  text: z.string().describe('What is asked.'),
  problem: z.string(),
  remedy: z.string(),
});

/** A label that is not what its writer meant. */
export type LabelProblem = z.output<typeof labelProblemSchema>;

/** Questions that a warning names; JSON has all. */
const namedQuestions = 3;
const shownCharacters = 60;

const sentences: Readonly<Record<Kind, string>> = {
  absent: 'is not a document here; the label is left out',
  unindexed: 'is not in the index, so it counts as not found',
  ambiguous: 'is the end of several paths; any of them counts',
  beyond: 'lies beyond the end of the text; the label is left out',
  uncovered: 'holds no text that is indexed, so it counts as not found',
};

const remedies: Readonly<Record<Kind, string>> = {
  absent: 'Correct the path, or remove the label.',
  unindexed: 'See why: quarry status --skipped',
  ambiguous: 'Write more of the path to mean one of them.',
  beyond: 'Correct the lines (quarry search shows them), or remove the label.',
  uncovered: 'Name lines with text (quarry search shows them), or the whole document.',
};

/** The problem of a question's label, with what to do about it; `lastLine` is where its text ends. */
export function labelProblem(
  kind: Kind,
  { id, text }: Pick<JudgedQuestion, 'id' | 'text'>,
  { path, lines }: Pick<Label, 'path' | 'lines'>,
  lastLine?: number,
): LabelProblem {
  const range = lines ? `:${lines[0]}${lines[1] === lines[0] ? '' : `-${lines[1]}`}` : '';
  const end = lastLine === undefined ? '' : `, which is line ${lastLine}`;
  return {
    kind,
    label: `${path}${range}`,
    question: id,
    text,
    problem: sentences[kind].replace('the end of the text', `$&${end}`),
    remedy: remedies[kind],
  };
}

/** What is wrong with the labels of a set, one warning for each label and problem, with the questions it concerns. */
export function labelWarnings(problems: readonly LabelProblem[]): string[] {
  const groups = Map.groupBy(problems, ({ label, problem }) => `"${label}" ${problem}`);
  return [...groups].map(
    ([sentence, group]) => `${sentence} (${questionList(group)}). ${group[0]?.remedy ?? ''}`,
  );
}

/** Identity and text: a generated identity alone means nothing to a person. */
function questionList(group: readonly LabelProblem[]): string {
  const shown = group
    .slice(0, namedQuestions)
    .map(({ question, text }) => `${question} "${shortened(text)}"`);
  const more = group.length - shown.length;
  return `question${group.length === 1 ? '' : 's'} ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function shortened(text: string): string {
  const characters = [
    ...text
      .trim()
      .replace(/\s+/g, ' ')
      .slice(0, 2 * (shownCharacters + 1)),
  ];
  return characters.length > shownCharacters
    ? `${characters.slice(0, shownCharacters).join('')} …`
    : characters.join('');
}
