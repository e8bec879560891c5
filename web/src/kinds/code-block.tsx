import { useEffect, useState } from 'preact/hooks';
import type { Stretch } from '../code/colour.ts';
import { grammarOf } from '../code/languages.ts';
import { findSentence } from '../code/sentence.ts';
import type { KindText } from './kind-text.ts';
import { Marked } from './marked.tsx';

/** Code within a page or a notebook, in colours where its language is known; what a cell of a notebook gave is said to be that. */
export function CodeBlock({
  text,
  language,
  marks,
  words,
}: { text: string; language: string } & Pick<KindText, 'marks' | 'words'>) {
  const [coloured, setColoured] = useState<{ text: string; lines: Stretch[][] }>();
  const grammar = grammarOf(`.${language}`) ?? (languages.has(language) ? language : undefined);
  // A sentence that is marked goes over the pieces of its colours.
  const isSaid = words !== undefined && words !== '' && findSentence(text, words) !== undefined;
  useEffect(() => {
    if (grammar === undefined) return;
    let isGone = false;
    void import('../code/colour.ts').then(
      ({ colouredLines }) => !isGone && setColoured({ text, lines: colouredLines(text, grammar) }),
      // Without colours it can be read as well.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [text, grammar]);
  if (language === 'output')
    return (
      <div class="cell-output">
        <span class="quiet small">Output</span>
        <pre>
          <Marked text={text} marks={marks} words={words} />
        </pre>
      </div>
    );
  if (isSaid || coloured?.text !== text)
    return (
      <pre>
        <Marked text={text} marks={marks} words={words} />
      </pre>
    );
  return (
    <pre>
      {coloured.lines.map((line, index) => (
        <div key={index}>
          {line.map((stretch, part) => (
            <span key={part} class={stretch.colour}>
              <Marked text={stretch.text} marks={marks} />
            </span>
          ))}
          {line.every((stretch) => stretch.text === '') && ' '}
        </div>
      ))}
    </pre>
  );
}

/** Languages that are written by their names beside a fence. */
const languages = new Set([
  'python',
  'javascript',
  'typescript',
  'rust',
  'ruby',
  'bash',
  'shell',
  'kotlin',
  'markdown',
  'csharp',
  'perl',
  'swift',
]);
