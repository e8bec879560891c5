import './ask.css';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { perform } from '../api/operations.ts';
import { isLost } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { type Passage, PassageDialog } from '../code/passage-dialog.tsx';
import { examplesOf } from '../search/examples.ts';
import { Confirm } from '../shell/confirm.tsx';
import { goTo, linkTo, route } from '../shell/route.ts';
import { plainly } from '../shell/words.ts';
import { AnswerText } from './answer-text.tsx';
import { ask, forgetTurns, loadTurns, running, stopAnswer, turnsOf } from './turns.ts';

/** Pixels from the end of the page within which a reader looks at its end. */
const nearEnd = 60;

/** Questions and their answers, each sentence with the sources it rests on. */
export function AskView({ project }: { project: string }) {
  const [opened, setOpened] = useState<Passage>();
  const end = useRef<HTMLDivElement>(null);
  const given = route.value.words.get('question');
  useEffect(() => {
    loadTurns(project);
    if (given === null || isLost.value) return;
    // Once: to load the page again asks nothing.
    goTo(linkTo(project, 'ask'), { replace: true });
    if (turnsOf(project).at(-1)?.question !== given) void ask(project, given);
  }, [project, given]);
  const turns = turnsOf(project);
  const last = turns.at(-1);
  useEffect(() => end.current?.scrollIntoView({ block: 'end' }), [last?.id]);
  const wasAtEnd = useRef(true);
  useEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
      wasAtEnd.current = scrollHeight - clientHeight - scrollTop < nearEnd;
    };
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  // As the answer grows its end stays above the box, unless the reader looks at something further up.
  useLayoutEffect(() => {
    if (wasAtEnd.current) end.current?.scrollIntoView({ block: 'end' });
  }, [last?.text, last?.result, last?.error]);
  return (
    <>
      <header class="view-head">
        <h1>Ask</h1>
        {turns.length > 0 && (
          <Confirm
            name="Forget these questions"
            sure="Forget them for good"
            onConfirm={() => forgetTurns(project)}
          />
        )}
      </header>
      <ol class="turns">
        {turns.map((turn) => (
          <li key={turn.id}>
            <h2>{turn.question}</h2>
            <AnswerText turn={turn} onOpen={setOpened} />
          </li>
        ))}
      </ol>
      <Question project={project} />
      {turns.length === 0 && <Beginning project={project} />}
      <div ref={end} />
      <PassageDialog project={project} passage={opened} isBeside onClose={() => setOpened(undefined)} />
    </>
  );
}

/** What is shown before anything was asked: what an answer is, and who writes it. */
function Beginning({ project }: { project: string }) {
  const { result } = useAnswer(() => perform(project, 'config show', {}), [project]);
  const examples = useAnswer(() => examplesOf(project, { asksOnly: true }), [project]);
  const settingOf = (name: string) => result?.settings.find(({ key }) => key === name)?.value;
  const driver = String(settingOf('generator.driver'));
  const isOwn = driver === 'auto' || driver === 'none';
  return (
    <div class="beginning-ask">
      {examples.result && examples.result.length > 0 && (
        <>
          <h2>Ask one of these, from your own files</h2>
          <ul class="chips">
            {examples.result.map(({ query }) => (
              <li key={query}>
                <button type="button" disabled={isLost.value} onClick={() => void ask(project, query)}>
                  {plainly(query)}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        An answer is made from the files of this project alone, and each sentence names the place it rests on.
        Questions and answers stay in this browser.
      </p>
      {result && (
        <p>
          {driver === 'auto' &&
            'A model on this machine writes it where one runs; else it is made of sentences of your files.'}
          {driver === 'none' && 'It is made of sentences of your files, as they are: no model is set up.'}
          {!isOwn && `It is written by ${settingOf('generator.model') ?? driver}.`}{' '}
          <a href={linkTo(project, 'settings', { filter: 'generator' })}>
            {isOwn ? 'Choose who writes answers' : 'Choose another'}
          </a>
        </p>
      )}
    </div>
  );
}

function Question({ project }: { project: string }) {
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const box = form.current?.elements.namedItem('question') as HTMLTextAreaElement;
    if (box.value.trim() === '' || isLost.value) return;
    void ask(project, box.value.trim());
    box.value = '';
  };
  return (
    <form ref={form} class="question" onSubmit={submit}>
      <textarea
        name="question"
        rows={2}
        aria-label="Question"
        placeholder="What do you want to know?"
        data-keys="question"
        onKeyDown={(event) => event.key === 'Enter' && !event.shiftKey && submit(event)}
      />
      {running.value ? (
        <button type="button" onClick={stopAnswer}>
          Stop
        </button>
      ) : (
        <button type="submit" class="primary" disabled={isLost.value}>
          Ask
        </button>
      )}
    </form>
  );
}
