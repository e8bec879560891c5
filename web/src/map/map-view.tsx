import './map.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { perform } from '../api/operations.ts';
import { asError } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Problem } from '../shell/problem.tsx';
import { goTo, linkTo } from '../shell/route.ts';
import { counted, plural } from '../shell/words.ts';
import { MapCanvas } from './map-canvas.tsx';
import { type Colouring, colourings, type MapResult, pointsOf } from './points.ts';

/** Paths that fit into a filter. */
const mostPaths = 30;
/** Hits that are set off. */
const hitsLit = 200;

/** The corpus in two dimensions: chunks that mean alike lie near each other. */
export function MapView({ project }: { project: string }) {
  const fast = useAnswer(() => perform(project, 'map', {}), [project]);
  const [fine, setFine] = useState<MapResult>();
  const [failure, setFailure] = useState<unknown>();
  const [by, setBy] = useState<Colouring>('type');
  const [query, setQuery] = useState('');
  const [lit, setLit] = useState<ReadonlySet<number>>(new Set());
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const hasPoints = (fast.result?.chunks ?? 0) > 0;
  useEffect(() => {
    if (!hasPoints) return;
    const stop = new AbortController();
    perform(project, 'map', { fine: true }, { signal: stop.signal }).then(setFine, (thrown) => {
      if (!stop.signal.aborted) setFailure(thrown);
    });
    return () => stop.abort();
  }, [project, hasPoints]);
  const map = fine ?? fast.result;
  const points = useMemo(() => map && pointsOf(map, by), [map, by]);
  const light = async () => {
    if (!map || query.trim() === '') return setLit(new Set());
    const { hits } = await perform(project, 'search', { query, top_k: hitsLit, update: false });
    const found = new Set(hits.map(({ chunk }) => chunk));
    setLit(new Set(map.points.chunk.flatMap((chunk, point) => (found.has(chunk) ? [point] : []))));
  };
  const paths = [
    ...new Set(chosen.map((point) => map?.documents[map.points.document[point] ?? 0]?.path ?? '')),
  ];
  return (
    <>
      <header class="view-head">
        <h1>Map</h1>
        <form
          class="map-query"
          onSubmit={(event) => {
            event.preventDefault();
            light().catch(setFailure);
          }}
        >
          <input
            type="search"
            aria-label="Light up hits"
            placeholder="Light up what answers…"
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
          <button type="submit">Light up</button>
        </form>
      </header>
      {(fast.error ?? failure) !== undefined && <Problem error={asError(fast.error ?? failure)} />}
      {fast.result && !hasPoints && (
        <section class="empty">
          <h2>No vectors yet</h2>
          <p>The map is drawn from vectors. They are being made, or the index is empty: see the status.</p>
        </section>
      )}
      {!fast.result && !fast.error && <p class="quiet">Placing…</p>}
      {map && points && hasPoints && (
        <>
          <MapCanvas map={map} points={points} lit={lit} onChoose={setChosen} />
          <div class="map-bar">
            <div class="segments" role="radiogroup" aria-label="Colour by">
              {colourings.map((name) => (
                <label key={name}>
                  <input type="radio" name="colouring" checked={name === by} onChange={() => setBy(name)} />
                  <span>{name}</span>
                </label>
              ))}
            </div>
            <p class="quiet" role="status">
              {plural(map.chunks, 'chunk')}
              {map.chunks < map.embedded && ` of ${counted(map.embedded)}`}
              {fine ? ', neighbours together' : ', first rough, the finer layout follows…'}
              {lit.size > 0 && `, ${plural(lit.size, 'hit')} lit`}
            </p>
          </div>
          <ul class="legend">
            {points.legend.map(({ name, colour, count }) => (
              <li key={name}>
                <span class="dot" style={{ background: colour }} aria-hidden="true" />
                {name} <span class="quiet">{counted(count)}</span>
              </li>
            ))}
          </ul>
          {chosen.length > 0 && (
            <section class="card chosen">
              <p>
                {plural(chosen.length, 'chunk')} of {plural(paths.length, 'document')} chosen:{' '}
                {paths.slice(0, 5).join(', ')}
                {paths.length > 5 && ' …'}
              </p>
              <button
                type="button"
                class="primary"
                disabled={paths.length > mostPaths}
                onClick={() => goTo(linkTo(project, 'search', { path: paths.map(asGlob).join(' '), query }))}
              >
                {paths.length > mostPaths ? `Choose ${mostPaths} documents at most` : 'Search in these'}
              </button>
            </section>
          )}
        </>
      )}
    </>
  );
}

/** A glob for one path: what has a meaning in globs stands for any character, as do spaces between globs. */
function asGlob(path: string): string {
  return path.replace(/[\s,*?[\]{}!()\\]/g, '?');
}
