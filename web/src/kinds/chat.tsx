import './kinds.css';
import { plainly } from '../shell/words.ts';
import { chatParts } from './chat-parts.ts';
import type { KindText } from './kind-text.ts';
import { Marked, plain } from './marked.tsx';

/** A conversation as cards: who, when, what is said; what tools were called for it on demand. */
export function Chat({ path, text, marks, words }: KindText) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    // biome-ignore lint/a11y/useSemanticElements: a text is no group of fields.
    <div class="code shown mail" tabIndex={0} role="group" aria-label={`Text of ${plainly(path)}`}>
      {chatParts(text).map(({ who, when, text: said, tools, above }, index) => (
        <section
          key={index}
          class="card block"
          aria-label={who === '' ? 'Text' : `Message of ${plainly(who)}`}
        >
          {above !== '' && <p class="mail-subject">{plainly(above)}</p>}
          {who !== '' && (
            <p class="quiet mail-people">
              <b>{plainly(who)}</b>
              {when !== '' && ` · ${plainly(when)}`}
            </p>
          )}
          <p class="mail-body" dir="auto">
            <Marked text={said} marks={marks} words={words} />
          </p>
          {tools.length > 0 && (
            <details>
              <summary>{tools.length === 1 ? '1 call of a tool' : `${tools.length} calls of tools`}</summary>
              <p class="mail-body">{plain(tools.join('\n\n'))}</p>
            </details>
          )}
        </section>
      ))}
    </div>
  );
}
