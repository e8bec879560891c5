import './kinds.css';
import { perform } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { plainly } from '../shell/words.ts';
import { rowsOf, separatorOf } from './cells.ts';
import type { KindText } from './kind-text.ts';
import { isLit, Marked } from './marked.tsx';

/** Rows of a table below the first line of its file, which names the columns. */
export function Table({ project, path, text, firstLine, lit, marks, words }: KindText) {
  const begins = firstLine === undefined || firstLine === 1;
  const head = useAnswer(
    async () => (begins ? undefined : perform(project, 'read', { path, lines: '1', update: false })),
    [project, path, begins],
  );
  const first = begins ? text : head.result?.text;
  const separator = separatorOf((first ?? text).split('\n', 1)[0] ?? '');
  const rows = rowsOf(text, separator);
  const names = begins ? rows[0]?.cells : first && rowsOf(first, separator)[0]?.cells;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    // biome-ignore lint/a11y/useSemanticElements: a text is no group of fields.
    <div class="code shown" tabIndex={0} role="group" aria-label={`Text of ${plainly(path)}`}>
      <Rows
        names={names || undefined}
        rows={rows.slice(begins ? 1 : 0)}
        firstLine={firstLine}
        lit={lit}
        marks={marks}
        words={words}
      />
    </div>
  );
}

/** Rows below the names of their columns, each with its line in the text. */
export function Rows({
  names,
  rows,
  firstLine,
  lit,
  marks,
  words,
}: {
  names: readonly string[] | undefined;
  rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
} & Pick<KindText, 'firstLine' | 'lit' | 'marks' | 'words'>) {
  return (
    <table class="md-table">
      {names && (
        <thead>
          <tr>
            {names.map((name, at) => (
              <th key={at} scope="col">
                {plainly(name)}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(({ line, cells }) => (
          <tr key={line} class={isLit(firstLine, [line, line], lit) ? 'block is-lit' : 'block'}>
            {cells.map((cell, at) => (
              <td key={at} dir="auto">
                <Marked text={cell} marks={marks} words={isWhole(words, cells) ? cell : undefined} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether a row is what is said, cell by cell. */
function isWhole(words: string | undefined, cells: readonly string[]): boolean {
  const [, said = words ?? ''] = /“(.+)”/su.exec(words ?? '') ?? [];
  return (
    said !== '' && cells.every((cell) => said.includes(cell)) && said.length < cells.join(',').length + 20
  );
}
