import { useEffect, useRef, useState } from 'preact/hooks';
import { createDrawing, type Drawing, placeAt, type Sight } from './draw-points.ts';
import type { MapResult, Points } from './points.ts';

type Place = { readonly x: number; readonly y: number };
const whole: Sight = { x: 0.5, y: 0.5, zoom: 1 };
/** Pixels around the pointer in which a point is found. */
const reach = 8;

/** The points, to be moved, enlarged, pointed at and chosen. */
export function MapCanvas({
  map,
  points,
  lit,
  onChoose,
}: {
  map: MapResult;
  points: Points;
  lit: ReadonlySet<number>;
  onChoose: (points: readonly number[]) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing = useRef<Drawing | undefined>(undefined);
  const [sight, setSight] = useState<Sight>(whole);
  const [isChoosing, setChoosing] = useState(false);
  const [lasso, setLasso] = useState<readonly Place[]>([]);
  const [pointed, setPointed] = useState<{ readonly point: number; readonly at: Place }>();
  const [failed, setFailed] = useState(false);
  const circled = useRef<Place[]>([]);
  const pressed = useRef<Place | undefined>(undefined);
  const scale = globalThis.devicePixelRatio || 1;

  useEffect(() => {
    if (!canvas.current) return;
    drawing.current = createDrawing(canvas.current);
    setFailed(drawing.current === undefined);
    return () => drawing.current?.end();
  }, []);
  useEffect(() => drawing.current?.load(points), [points]);
  useEffect(() => drawing.current?.light(lit), [points, lit]);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const draw = () => {
      const [width, height] = [element.clientWidth * scale, element.clientHeight * scale].map(Math.round);
      // To set them makes a new picture to draw on, even where they stay the same.
      if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
      const crowd = Math.max(2, Math.min(7, 260 / Math.sqrt(points.places.length)));
      drawing.current?.draw(sight, crowd * scale * Math.sqrt(sight.zoom));
    };
    const frame = requestAnimationFrame(draw);
    addEventListener('resize', draw);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('resize', draw);
    };
  }, [points, lit, sight]);

  const pixelOf = (event: MouseEvent): Place => ({ x: event.offsetX, y: event.offsetY });
  const sizeOf = () => ({
    width: canvas.current?.clientWidth ?? 1,
    height: canvas.current?.clientHeight ?? 1,
  });
  const onMap = (pixel: Place): Place => placeAt(sizeOf(), sight, pixel);
  // A wheel turns several times before the next drawing: each turn builds on the one before.
  const enlarge = (factor: number, pixel?: Place) =>
    setSight((former) => {
      const zoom = Math.max(0.8, Math.min(60, former.zoom * factor));
      if (!pixel) return { ...former, zoom };
      const [before, after] = [former, { ...former, zoom }].map((seen) => placeAt(sizeOf(), seen, pixel));
      if (!before || !after) return former;
      return { x: former.x + before.x - after.x, y: former.y + before.y - after.y, zoom };
    });
  const onMove = (event: PointerEvent) => {
    const pixel = pixelOf(event);
    if (!pressed.current)
      return setPointed(nearest(points, onMap(pixel), onMap({ x: pixel.x + reach, y: pixel.y }), pixel));
    // Several moves may come before the next drawing: each builds on the one before.
    if (isChoosing) {
      circled.current.push(pixel);
      return setLasso([...circled.current]);
    }
    const [from, to] = [onMap(pressed.current), onMap(pixel)];
    pressed.current = pixel;
    setSight((former) => ({ ...former, x: former.x + from.x - to.x, y: former.y + from.y - to.y }));
  };
  const onUp = () => {
    pressed.current = undefined;
    if (circled.current.length > 2) onChoose(inside(points, circled.current.map(onMap)));
    circled.current = [];
    setLasso([]);
  };
  const citation = pointed && map.points.citation[pointed.point];
  return (
    <div class="map">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Map of ${map.chunks} chunks`}
        class={isChoosing ? 'is-choosing' : ''}
        onWheel={(event) => {
          event.preventDefault();
          enlarge(Math.exp(-event.deltaY / 400), pixelOf(event));
        }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          pressed.current = pixelOf(event);
          setPointed(undefined);
          circled.current = [pixelOf(event)];
        }}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerLeave={() => setPointed(undefined)}
      />
      {lasso.length > 1 && (
        <svg class="lasso" aria-hidden="true">
          <polygon points={lasso.map(({ x, y }) => `${x},${y}`).join(' ')} />
        </svg>
      )}
      {pointed && citation !== undefined && (
        <p class="pointed" style={{ left: `${pointed.at.x}px`, top: `${pointed.at.y}px` }}>
          {citation}
        </p>
      )}
      {failed && <p class="notice">This browser draws no WebGL; the list of documents is in the status.</p>}
      <div class="map-tools">
        <button type="button" aria-label="Enlarge" onClick={() => enlarge(1.5)}>
          +
        </button>
        <button type="button" aria-label="Make smaller" onClick={() => enlarge(1 / 1.5)}>
          −
        </button>
        <button type="button" onClick={() => setSight(whole)}>
          All
        </button>
        <button type="button" aria-pressed={isChoosing} onClick={() => setChoosing(!isChoosing)}>
          Choose
        </button>
      </div>
    </div>
  );
}

function nearest({ places }: Points, at: Place, edge: Place, pixel: Place) {
  let [best, least] = [-1, (edge.x - at.x) ** 2];
  for (let point = 0; point < places.length / 2; point += 1) {
    const distance =
      ((places[point * 2] as number) - at.x) ** 2 + ((places[point * 2 + 1] as number) - at.y) ** 2;
    if (distance < least) [best, least] = [point, distance];
  }
  return best < 0 ? undefined : { point: best, at: pixel };
}

/** The points within a polygon. */
function inside({ places }: Points, polygon: readonly Place[]): number[] {
  const found: number[] = [];
  for (let point = 0; point < places.length / 2; point += 1) {
    const [x, y] = [places[point * 2] as number, places[point * 2 + 1] as number];
    let isInside = false;
    for (const [index, a] of polygon.entries()) {
      const b = polygon.at(index - 1) as Place;
      if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) isInside = !isInside;
    }
    if (isInside) found.push(point);
  }
  return found;
}
