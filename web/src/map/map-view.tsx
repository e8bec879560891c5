import './map.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { relevanceWord } from '../../../src/core/relevance.ts';
import { perform } from '../api/operations.ts';
import { asError } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { type Passage, PassageDialog } from '../code/passage-dialog.tsx';
import { Problem } from '../shell/problem.tsx';
import { linkTo, route } from '../shell/route.ts';
import { Segments } from '../shell/segments.tsx';
import { counted, plainly, plural } from '../shell/words.ts';
import { AreaList, type Order } from './areas.tsx';
import { Chosen } from './chosen.tsx';
import { MapCanvas } from './map-canvas.tsx';
import { type Colouring, colourings, type MapResult, pointsOf } from './points.ts';

/** Hits that are set off: this share of the chunks, within bounds. */
const lightest = { min: 10, max: 200, share: 0.02 };

/** Chunks that are placed at first: more say no more of the whole, and take longer than a reader waits. */
const sampled = 12_000;
/** Chunks that are placed where the reader wants all of them. */
const most = 200_000;

/** The corpus in two dimensions: chunks that mean alike lie near each other. */
export function MapView({ project }: { project: string }) {
  const [limit, setLimit] = useState(sampled);
  const fast = useAnswer(() => perform(project, 'map', { limit }), [project, limit]);
  const [fine, setFine] = useState<MapResult>();
  const [failure, setFailure] = useState<unknown>();
  const [by, setBy] = useState<Colouring>('area');
  const [query, setQuery] = useState(route.value.words.get('query') ?? '');
  const [litQuery, setLit] = useState('');
  const [hits, setHits] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [opened, setOpened] = useState<Passage>();
  const [area, setArea] = useState<number>();
  const [order, setOrder] = useState<Order>('size');
  const hasPoints = (fast.result?.chunks ?? 0) > 0;
  useEffect(() => {
    if (!hasPoints) return;
    const stop = new AbortController();
    perform(project, 'map', { fine: true, limit }, { signal: stop.signal }).then(setFine, (thrown) => {
      if (!stop.signal.aborted) setFailure(thrown);
    });
    return () => stop.abort();
  }, [project, fast.result]);
  const map = fine ?? fast.result;
  const isSample = map !== undefined && map.chunks < map.embedded;
  const placeAll = () => {
    setLimit(most);
    setFine(undefined);
    // They name points and areas of the map that was.
    setArea(undefined);
    setChosen([]);
  };
  const points = useMemo(() => map && pointsOf(map, by), [map, by]);
  const light = async () => {
    if (query.trim() === '') {
      setLit('');
      return setHits(new Set());
    }
    const share = Math.round((fast.result?.chunks ?? 0) * lightest.share);
    const top_k = Math.max(lightest.min, Math.min(lightest.max, share));
    const answer = await perform(project, 'search', { query, top_k, by_document: false, update: false });
    // Weak ones would be all over the map, and say nothing.
    const strong = answer.hits.filter(({ relevance }) => relevanceWord(relevance) === 'strong');
    setArea(undefined);
    setHits(new Set(strong.map(({ chunk }) => chunk)));
    setLit(answer.query);
  };
  // The query of the address: from the search, or from a bookmark.
  useEffect(() => void light().catch(setFailure), [hasPoints]);
  const lit = useMemo(
    () =>
      new Set(
        map?.points.chunk.flatMap((chunk, point) =>
          (area === undefined ? hits.has(chunk) : map.points.area[point] === area) ? [point] : [],
        ),
      ),
    [map, hits, area],
  );
  const open = (point: number) => {
    const path = map?.documents[map.points.document[point] ?? 0]?.path;
    const citation = map?.points.citation[point];
    if (path === undefined || citation === undefined) return;
    const [, first, last] = /:(\d+)(?:-(\d+))?$/.exec(citation.slice(path.length)) ?? [];
    const lines = first === undefined ? undefined : ([Number(first), Number(last ?? first)] as const);
    setOpened({ citation, path, lines, words: query });
  };
  const paths = useMemo(
    () => [...new Set(chosen.map((point) => map?.documents[map.points.document[point] ?? 0]?.path ?? ''))],
    [map, chosen],
  );
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
          <h2>Nothing to draw yet</h2>
          <p>
            Texts that mean alike lie together here. Nothing is read yet, or it is still found by words alone.
          </p>
          <a class="button" href={linkTo(project, 'status')}>
            See the status
          </a>
        </section>
      )}
      {!fast.result && !fast.error && (
        <div class="map is-empty" role="status">
          <p class="quiet">Placing the chunks…</p>
        </div>
      )}
      {map && points && hasPoints && (
        <>
          <div class="map-sides">
            <MapCanvas map={map} points={points} lit={lit} onOpen={open} onChoose={setChosen} />
            <AreaList
              map={map}
              points={points}
              order={order}
              onOrder={setOrder}
              chosen={area}
              onChoose={(facts) => {
                const isSame = facts.area === area;
                setArea(isSame ? undefined : facts.area);
                setChosen(isSame ? [] : facts.points);
              }}
            />
          </div>
          <div class="map-bar">
            <Segments
              label="Colour by"
              options={colourings.map((name) => [name, name] as const)}
              chosen={by}
              onChoose={setBy}
            />
            <p class="quiet" role="status">
              {plural(map.chunks, 'chunk')}
              {isSample && ` of ${counted(map.embedded)}, evenly from all documents`}
              {fine ? ', similar ones lie together' : ', a first sketch: the finer layout follows…'}
              {area === undefined && hits.size > 0 && `, ${plural(lit.size, 'strong hit')} lit`}
              {area === undefined && hits.size > lit.size && ` of ${counted(hits.size)}`}
              {litQuery !== '' && hits.size === 0 && ', no strong hit'}
            </p>
            {isSample && limit === sampled && (
              <button type="button" class="link" onClick={placeAll}>
                Place all
              </button>
            )}
          </div>
          {/* The list beside the map says the areas. */}
          <ul class="legend">
            {(by === 'area' ? [] : points.legend).map(({ name, colour, count }) => (
              <li key={name}>
                <span class="dot" style={{ background: colour }} aria-hidden="true" />
                {plainly(name)} <span class="quiet">{counted(count)}</span>
              </li>
            ))}
          </ul>
          {chosen.length > 0 && (
            <Chosen
              project={project}
              chunks={chosen.length}
              paths={paths}
              query={query}
              onDrop={() => {
                setChosen([]);
                setArea(undefined);
              }}
            />
          )}
          <PassageDialog project={project} passage={opened} onClose={() => setOpened(undefined)} />
        </>
      )}
    </>
  );
}
