import { useEffect, useRef } from 'preact/hooks';
import { perform, type ResultOf } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Problem } from '../shell/problem.tsx';
import { plainly, plural } from '../shell/words.ts';
import { entryAt, openPlace, placeOf } from './places.ts';

/** A place whose file is looked at. */
export interface FilePlace {
  readonly project: string;
  readonly path: string;
  readonly lines: readonly [number, number] | undefined;
  /** What is defined there, where that is known. */
  readonly name?: string | undefined;
}

/** The most that is listed of callers and the like; the rest is counted. */
const maxEntries = 40;

/** What a file defines, or its headings, with the place that is shown set off. */
export function FileOutline({ project, path, lines }: FilePlace) {
  const { result, error } = useAnswer(
    () => perform(project, 'outline', { path, update: false }),
    [project, path],
  );
  const list = useRef<HTMLOListElement>(null);
  const here = result && entryAt(result.entries, lines);
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (current && list.current) list.current.scrollTop = current.offsetTop - list.current.offsetTop - 40;
  }, [here]);
  if (error) return <Problem error={error} isWarning />;
  if (!result) return <p class="quiet part">Reading…</p>;
  if (result.entries.length === 0) return <p class="quiet part">This file has no headings or definitions.</p>;
  return (
    <ol ref={list} class="part outline" aria-label="Outline of the file">
      {result.entries.map((entry) => (
        <li key={entry.citation + entry.name} class={`depth-${Math.min(entry.depth, 4)}`}>
          <button
            type="button"
            class="link"
            title={plainly(entry.signature)}
            aria-current={entry === here ? 'location' : undefined}
            onClick={() => openPlace(placeOf(project, entry.citation, path))}
          >
            {plainly(entry.name)}
          </button>{' '}
          {entry.kind !== 'section' && <span class="quiet">{entry.kind}</span>}
        </li>
      ))}
    </ol>
  );
}

type Related = ResultOf<'related'>;

/** Who calls what is shown, what it calls, and the files around it. */
export function Connections({ project, path, lines, name }: FilePlace) {
  const at = lines ? `${path}:${lines[0]}` : path;
  const place = name === undefined ? at : `${path}#${name}`;
  const { result, error } = useAnswer(
    () => perform(project, 'related', { place, limit: maxEntries, update: false }),
    [project, place],
  );
  if (error) return <Problem error={error} isWarning />;
  if (!result) return <p class="quiet part">Looking…</p>;
  const groups = groupsOf(result).filter(({ entries }) => entries.length > 0);
  if (groups.length === 0)
    return <p class="quiet part">Nothing in this project calls it or is called by it.</p>;
  return (
    <div class="part connections">
      {groups.map(({ name, entries }) => (
        <section key={name} aria-label={name}>
          <h3>
            {name}{' '}
            <span class="quiet">
              {entries.length === maxEntries ? `${maxEntries} and more` : entries.length}
            </span>
          </h3>
          <ul>
            {entries.map(({ citation, text, note }) => (
              <li key={citation + text}>
                <button type="button" class="link" onClick={() => openPlace(placeOf(project, citation))}>
                  {plainly(citation)}
                </button>
                {text !== '' && <code>{plainly(text)}</code>}
                {note !== '' && <span class="quiet">{note}</span>}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface Connection {
  readonly citation: string;
  readonly text: string;
  readonly note: string;
}

function groupsOf(related: Related): { readonly name: string; readonly entries: readonly Connection[] }[] {
  const doubt = (certainty: string): string => (certainty === 'possible' ? 'may mean another' : '');
  const files = (paths: readonly string[]): Connection[] =>
    paths.map((path) => ({ citation: path, text: '', note: '' }));
  return [
    {
      name: 'Called by',
      entries: related.callers.map(({ path, line, text, certainty }) => ({
        citation: `${path}:${line}`,
        text: text.trim(),
        note: doubt(certainty),
      })),
    },
    {
      name: 'Calls',
      entries: related.callees.map(({ citation, name, called_at, certainty }) => ({
        citation,
        text: name,
        note: [called_at.length > 1 ? plural(called_at.length, 'time') : '', doubt(certainty)]
          .filter(Boolean)
          .join(', '),
      })),
    },
    { name: 'Tests', entries: files(related.tests) },
    { name: 'Imports', entries: files(related.imports) },
    { name: 'Imported by', entries: files(related.imported_by) },
  ];
}
