// How many questions are answered right, wrongly denied, or answered with something else, where no model writes: twenty over
// a mixed corpus, thirty-two over seven corpora of one to five files, twenty over chats between mail, notes, code and logs, and
// questions that none of them answers.
// Usage: npx node bench/answers/worth.ts [KEY=VALUE of settings …]; SHOW=1 prints every answer.
import { openAsk } from './asking.ts';
import type { AskedCorpus, AskedQuestion } from './corpora/corpus.ts';
import { mixed } from './corpora/mixed.ts';
import { talk } from './corpora/talk.ts';
import { offTopic, tiny } from './corpora/tiny.ts';
import { settingsOf } from './page-project.ts';

type Verdict = 'right' | 'denied' | 'wrong';

const settings = settingsOf(process.argv.slice(2));
const totals: Record<string, Record<Verdict, number>> = {};
let refused = 0;
let foreign = 0;

for (const [set, corpora] of Object.entries({ mixed: [mixed], tiny, talk: [talk] }))
  for (const corpus of corpora) await run(set, corpus);
console.log(JSON.stringify({ ...totals, offTopic: { asked: foreign, refused } }));

async function run(set: string, { name, files, questions }: AskedCorpus): Promise<void> {
  const { ask, close } = await openAsk(files, settings);
  try {
    totals[set] ??= { right: 0, denied: 0, wrong: 0 };
    for (const question of questions) {
      const { kind, quotes } = await ask(question.ask);
      const verdict = judged(question, kind, quotes);
      totals[set][verdict] += 1;
      if (process.env.SHOW || verdict !== 'right') show(`${verdict}: ${name}: ${question.ask}`, quotes);
    }
    for (const text of offTopic) {
      const { kind, quotes } = await ask(text);
      foreign += 1;
      if (kind === 'none') refused += 1;
      else show(`not refused: ${name}: ${text}`, quotes);
    }
  } finally {
    await close();
  }
}

function judged({ expect, not, first }: AskedQuestion, kind: string, quotes: readonly string[]): Verdict {
  if (kind === 'none') return 'denied';
  const answer = quotes.join('\n');
  // What a later message has changed may be said as what it is.
  const isFalse = (quote: string): boolean => not?.test(quote) === true && !quote.startsWith('Earlier: ');
  const isRight = expect.test(answer) && (first?.test(quotes[0] ?? '') ?? true) && !quotes.some(isFalse);
  return isRight ? 'right' : 'wrong';
}

function show(title: string, quotes: readonly string[]): void {
  console.log(`\n## ${title}`);
  for (const quote of quotes) console.log(`  ${quote}`);
}
