import './kinds.css';
import { useState } from 'preact/hooks';
import { perform } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { openPlace } from '../search/places.ts';
import { ago, plainly } from '../shell/words.ts';
import type { KindText } from './kind-text.ts';
import { Marked, plain } from './marked.tsx';
import { type Message, messagesOf } from './messages.ts';
import { conversation } from './subject.ts';

/** Messages that are looked for in a thread. */
const maxHits = 30;

/** Mail as cards: people, date and subject, what is said, and the thread; headers and quotes on demand. */
export function Mail({ project, path, text, marks, words }: KindText) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    // biome-ignore lint/a11y/useSemanticElements: a text is no group of fields.
    <div class="code shown mail" tabIndex={0} role="group" aria-label={`Text of ${plainly(path)}`}>
      {messagesOf(text).map((message, index) => (
        <Card key={index} project={project} message={message} marks={marks} words={words} />
      ))}
    </div>
  );
}

const shownHeaders = ['From', 'To', 'Cc', 'Date', 'Subject'];

function Card({
  project,
  message: { headers, parts },
  marks,
  words,
}: { project: string; message: Message } & Pick<KindText, 'marks' | 'words'>) {
  const headerOf = (name: string): string => headers.find(([each]) => each === name)?.[1] ?? '';
  const others = headers.filter(([name]) => !shownHeaders.includes(name));
  const subject = headerOf('Subject');
  const date = headerOf('Date');
  return (
    <section class="card block" aria-label={`Mail: ${plainly(subject || 'without a subject')}`}>
      {headers.length > 0 && (
        <p class="mail-subject">
          <Marked text={subject || 'Without a subject'} marks={words === undefined ? marks : undefined} />
        </p>
      )}
      {headers.length > 0 && (
        <p class="quiet mail-people">
          <b>{plainly(headerOf('From'))}</b> to {plainly(headerOf('To') || 'nobody named')}
          {headerOf('Cc') !== '' && `, copies to ${plainly(headerOf('Cc'))}`}
          {date !== '' && (
            <time dateTime={date} title={plainly(date)}>
              {' · '}
              {Number.isNaN(Date.parse(date))
                ? plainly(date)
                : `${new Date(date).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })} (${ago(date)})`}
            </time>
          )}
        </p>
      )}
      {parts.map((part, index) =>
        part.isQuoted ? (
          <details key={index}>
            <summary>Quoted</summary>
            <p class="mail-body" dir="auto">
              {plain(part.text.replace(/^\s*>\s?/gm, ''))}
            </p>
          </details>
        ) : (
          <p key={index} class="mail-body" dir="auto">
            <Marked text={part.text} marks={marks} words={words} />
          </p>
        ),
      )}
      {others.length > 0 && (
        <details>
          <summary>All headers</summary>
          <dl class="mail-headers">
            {headers.map(([name, value]) => (
              <div key={name}>
                <dt>{plainly(name)}</dt>
                <dd>{plainly(value)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {conversation(subject) !== '' && <Thread project={project} subject={conversation(subject)} />}
    </section>
  );
}

/** The other messages with this subject, oldest first. */
function Thread({ project, subject }: { project: string; subject: string }) {
  const [isOpen, setOpen] = useState(false);
  const { result } = useAnswer(
    async () =>
      isOpen
        ? perform(project, 'search', {
            query: subject,
            route: 'text',
            top_k: maxHits,
            by_document: false,
            brief: true,
            update: false,
          })
        : undefined,
    [project, subject, isOpen],
  );
  const seen = new Set<string>();
  const messages = (result?.hits ?? [])
    .flatMap((hit) => (hit.place.kind === 'messages' ? [{ ...hit, point: hit.place.first }] : []))
    .filter(({ point }) => conversation(point.subject).toLowerCase() === subject.toLowerCase())
    .filter(
      ({ path, point }) => !seen.has(`${path} ${point.message}`) && seen.add(`${path} ${point.message}`),
    )
    .sort((one, other) => Date.parse(one.written_at ?? '') - Date.parse(other.written_at ?? ''));
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Thread</summary>
      {isOpen && !result && <p class="quiet">Looking…</p>}
      <ol class="thread">
        {messages.map(({ citation, path, written_at, chunk }) => (
          <li key={chunk}>
            <button type="button" class="link" onClick={() => openPlace({ project, citation, path })}>
              {plainly(citation)}
            </button>{' '}
            {written_at !== undefined && <span class="quiet">{ago(written_at)}</span>}
          </li>
        ))}
      </ol>
    </details>
  );
}
