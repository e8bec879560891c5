import './kinds.css';
import { perform } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { plainly } from '../shell/words.ts';
import type { KindText } from './kind-text.ts';
import { sheetsIn } from './sheets-in.ts';
import { Rows } from './table.tsx';

/** Rows that are read of the top of a sheet for the names of its columns: titles may stand above them. */
const rowsAbove = 10;

/** Rows of a spreadsheet, sheet by sheet, below the names of their columns. */
export function Sheets({ project, path, text, sheet, ...shown }: KindText) {
  const sheets = sheetsIn(text);
  const [first] = sheets;
  const isCut = first !== undefined && first.name === undefined && sheet !== undefined;
  const top = useAnswer(
    async () =>
      isCut
        ? perform(project, 'read', {
            places: [`${path}, sheet "${sheet}", A1:ZZ${rowsAbove}`],
            update: false,
            // Rows without the names of their columns are shown all the same.
          }).catch(() => undefined)
        : undefined,
    [project, path, sheet, isCut],
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    // biome-ignore lint/a11y/useSemanticElements: a text is no group of fields.
    <div class="code shown" tabIndex={0} role="group" aria-label={`Text of ${plainly(path)}`}>
      {sheets.map(({ name = sheet, names, above, rows }, index) => (
        <section key={index}>
          {name !== undefined && <h3>{plainly(name)}</h3>}
          {above.map((line, at) => (
            <p key={at} class="quiet">
              {plainly(line)}
            </p>
          ))}
          <Rows
            names={names ?? (top.result ? sheetsIn(top.result.text)[0]?.names : undefined)}
            rows={rows}
            firstLine={shown.firstLine}
            lit={shown.lit}
            marks={shown.marks}
            words={shown.words}
          />
        </section>
      ))}
    </div>
  );
}
