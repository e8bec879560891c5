import './kinds.css';
import { plainly } from '../shell/words.ts';
import type { KindText } from './kind-text.ts';
import { isLit, Marked } from './marked.tsx';

const levels: readonly (readonly [level: string, sign: RegExp])[] = [
  ['error', /\b(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC|EMERG|ALERT)\b/i],
  ['warning', /\b(?:WARN|WARNING)\b/i],
  ['quiet', /\b(?:DEBUG|TRACE|VERBOSE)\b/i],
];

/** Entries of a log, each with its level: what failed stands out. */
export function Log({ path, text, firstLine, lit, marks, words }: KindText) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    // biome-ignore lint/a11y/useSemanticElements: a text is no group of fields.
    <div class="code shown log" tabIndex={0} role="group" aria-label={`Text of ${plainly(path)}`}>
      {text.split('\n').map((line, index) => (
        <p
          key={index}
          class={`block log-${levelOf(line)}${isLit(firstLine, [index, index], lit) ? ' is-lit' : ''}`}
        >
          <Marked text={line} marks={marks} words={words} />
        </p>
      ))}
    </div>
  );
}

/** The level of an entry: its first words say it, and not its message. */
function levelOf(line: string): string {
  const beginning = line.slice(0, 80);
  return levels.find(([, sign]) => sign.test(beginning))?.[0] ?? 'info';
}
