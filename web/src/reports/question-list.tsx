import { useState } from 'preact/hooks';
import { ListBar } from '../shell/list-bar.tsx';
import { LongList } from '../shell/long-list.tsx';
import { linkTo } from '../shell/route.ts';
import { plainly } from '../shell/words.ts';

/** A question of an evaluation, and how well it was answered. */
export interface ShownQuestion {
  readonly set: string;
  readonly id: string;
  readonly text: string;
  /** Its nDCG@10, and that of the earlier run where there is one. */
  readonly after: number;
  readonly before?: number;
  readonly found: readonly string[];
  readonly foundBefore?: readonly string[];
}

type Kind = 'all' | 'rose' | 'fell' | 'stayed' | 'missed';

/** Every question, to be filtered by what became of it; each leads to the search. */
export function QuestionList({
  project,
  questions,
}: {
  project: string;
  questions: readonly ShownQuestion[];
}) {
  const isCompared = questions.some(({ before }) => before !== undefined);
  const kinds: readonly Kind[] = isCompared ? ['all', 'rose', 'fell', 'stayed', 'missed'] : ['all', 'missed'];
  const [kind, setKind] = useState<Kind>('all');
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  // What moved comes first, whichever way: a fall of the same size says as much as a rise.
  const sorted = isCompared
    ? questions.toSorted((a, b) => Math.abs(gainOf(b)) - Math.abs(gainOf(a)))
    : questions;
  const shown = sorted.filter(
    (question) =>
      isOf(question, kind) &&
      `${question.text}\n${question.id}\n${question.set}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <ListBar
        label="Which questions"
        counts={kinds.map(
          (name) => [name, questions.filter((question) => isOf(question, name)).length] as const,
        )}
        kind={kind}
        onKind={setKind}
        filterLabel="Filter the questions"
        hint="Words of a question"
        filter={filter}
        onFilter={setFilter}
      />
      <LongList entries={shown} render={(question) => <Question project={project} question={question} />} />
      {shown.length === 0 && <p class="quiet">None.</p>}
    </>
  );
}

function Question({ project, question }: { project: string; question: ShownQuestion }) {
  const { text, set, before, after, found, foundBefore } = question;
  const gain = gainOf(question);
  const tone = gain > 0 ? 'is-up' : gain < 0 ? 'is-down' : '';
  return (
    <details class="asked">
      <summary>
        <span class={`moved ${tone}`}>
          {before !== undefined && <span class="quiet">{before.toFixed(2)} → </span>}
          {after.toFixed(2)}
        </span>
        <span class="asked-text">{plainly(text)}</span>
        <span class="tag">{plainly(set)}</span>
      </summary>
      <div class="asked-found">
        <a href={linkTo(project, 'search', { query: text })}>Search for it now</a>
        <div class="found-lists">
          {foundBefore && <Found title="Found before" found={foundBefore} others={found} />}
          <Found title={foundBefore ? 'Found after' : 'Found'} found={found} others={foundBefore} />
        </div>
      </div>
    </details>
  );
}

function Found({
  title,
  found,
  others,
}: {
  title: string;
  found: readonly string[];
  others: readonly string[] | undefined;
}) {
  return (
    <div>
      <h3>{title}</h3>
      {found.length === 0 && <p class="quiet">Nothing.</p>}
      <ol>
        {found.map((name, index) => (
          <li key={index} class={others && !others.includes(name) ? 'is-only' : ''}>
            {plainly(name)}
          </li>
        ))}
      </ol>
    </div>
  );
}

function gainOf({ before, after }: ShownQuestion): number {
  return before === undefined ? 0 : after - before;
}

function isOf(question: ShownQuestion, kind: Kind): boolean {
  const gain = gainOf(question);
  if (kind === 'rose') return gain > 0;
  if (kind === 'fell') return gain < 0;
  if (kind === 'stayed') return gain === 0;
  return kind === 'all' || question.after === 0;
}
