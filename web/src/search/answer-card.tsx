import '../ask/ask.css';
import { AnswerText } from '../ask/answer-text.tsx';
import { linkTo } from '../shell/route.ts';
import { answer, askThis, forgetAnswer } from './asking.ts';
import { openPlace } from './places.ts';
import { question } from './query-state.ts';
import { search } from './run-search.ts';
import { ownPlace } from './several.ts';

/** The answer to the query, above the hits; its citations open beside them. */
export function AnswerCard({ project }: { project: string }) {
  const turn = answer.value;
  if (!turn) return null;
  const isAnswered = turn.result !== undefined && turn.result.kind !== 'none';
  return (
    <section class="answer-card" aria-label="Answer">
      <AnswerText
        turn={turn}
        isBrief
        shown={search.value.result?.warnings ?? []}
        onOpen={({ citation, path, lines, words }) =>
          openPlace({
            ...ownPlace(project, citation),
            path: ownPlace(project, path).citation,
            lines,
            words: words ?? '',
          })
        }
        onAgain={() => askThis(project, question.value)}
      />
      <div class="actions">
        {isAnswered && (
          <a class="button" href={linkTo(project, 'ask', { question: turn.question })}>
            Ask further
          </a>
        )}
        <button type="button" class="link" onClick={forgetAnswer}>
          Hide
        </button>
      </div>
    </section>
  );
}
