import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { plainly } from '../shell/words.ts';
import { createDrawing, type Drawing } from './draw-points.ts';
import { nearestPoint, pointsInside } from './find-points.ts';
import { type Label, labelsOf } from './labels.ts';
import { createPainter } from './painter.ts';
import type { MapResult, Points } from './points.ts';
import { enlarged, moved, type Place, pixelAt, placeAt, type Sight, wholeMap } from './sight.ts';

/** Pixels around the pointer in which a point is found; a finger is no pointer, and keys have the middle of the map. */
const reach = { mouse: 8, touch: 20, keys: 150 };
/** Pixels that a press may move and still be a click. */
const slack = 5;
/** Pixels that an arrow key moves the map. */
const keyStep = 60;
/** Milliseconds after the last move before areas are named again. */
const restingPause = 120;

/** The points, to be moved, enlarged, pointed at, opened and chosen. */
export function MapCanvas({
  map,
  points,
  lit,
  onOpen,
  onChoose,
}: {
  map: MapResult;
  points: Points;
  lit: ReadonlySet<number>;
  onOpen: (point: number) => void;
  onChoose: (points: readonly number[]) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing = useRef<Drawing | undefined>(undefined);
  const [painter] = useState(createPainter);
  const [sight, setSight] = useState<Sight>(wholeMap);
  const [isChoosing, setChoosing] = useState(false);
  const [lasso, setLasso] = useState<readonly Place[]>([]);
  const [pointed, setPointed] = useState<{ readonly point: number; readonly at: Place }>();
  const [labels, setLabels] = useState<readonly Label[]>([]);
  const [failed, setFailed] = useState(false);
  const circled = useRef<Place[]>([]);
  const isByKeys = useRef(false);
  /** Every pointer that is down, where it was last; and where the first went down, while it may still be a click. */
  const pressed = useRef(new Map<number, Place>());
  const clicked = useRef<Place | undefined>(undefined);
  const scale = globalThis.devicePixelRatio || 1;
  const size = () => ({ width: canvas.current?.clientWidth ?? 1, height: canvas.current?.clientHeight ?? 1 });

  // Before the next picture: an effect that waits for it would draw every second one only.
  useLayoutEffect(() => {
    if (!canvas.current) return;
    drawing.current = createDrawing(canvas.current);
    setFailed(drawing.current === undefined);
    return () => {
      painter.end();
      drawing.current?.end();
    };
  }, []);
  useLayoutEffect(() => drawing.current?.load(points), [points]);
  useLayoutEffect(() => drawing.current?.light(lit), [points, lit]);
  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const draw = (max?: number) => {
      const [width, height] = [element.clientWidth * scale, element.clientHeight * scale].map(Math.round);
      // To set them makes a new picture to draw on, even where they stay the same.
      if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
      const crowd = Math.max(2, Math.min(9, 260 / Math.sqrt(points.places.length)));
      drawing.current?.draw(sight, crowd * scale * Math.sqrt(sight.zoom), max);
    };
    painter.request(points.places.length / 2, draw);
    const all = () => draw();
    addEventListener('resize', all);
    return () => removeEventListener('resize', all);
  }, [points, lit, sight]);
  useEffect(() => {
    const name = () => setLabels(labelsOf(map, points, size(), sight));
    const wait = setTimeout(name, restingPause);
    addEventListener('resize', name);
    return () => {
      clearTimeout(wait);
      removeEventListener('resize', name);
    };
  }, [map, points, sight]);

  const pixelOf = (event: MouseEvent): Place => ({ x: event.offsetX, y: event.offsetY });
  const onMap = (pixel: Place): Place => placeAt(size(), sight, pixel);
  const middle = (): Place => ({ x: size().width / 2, y: size().height / 2 });
  // A wheel turns several times before the next drawing, as a finger moves: each turn builds on the one before.
  const enlarge = (factor: number, pixel = middle()) =>
    setSight((previous) => enlarged(size(), previous, factor, pixel));
  const move = (from: Place, to: Place) => setSight((previous) => moved(size(), previous, from, to));
  const find = (pixel: Place, within: number) => {
    const [at, edge] = [onMap(pixel), onMap({ x: pixel.x + within, y: pixel.y })];
    return nearestPoint(points, at, edge.x - at.x);
  };
  const point = (pixel: Place) => {
    const found = find(pixel, reach.mouse);
    setPointed(found === undefined ? undefined : { point: found, at: pixel });
  };
  // A reader who moves the map by keys points at what is in its middle.
  useEffect(() => {
    if (!isByKeys.current) return;
    const found = find(middle(), reach.keys);
    const [x = 0, y = 0] = found === undefined ? [] : points.places.subarray(found * 2);
    setPointed(found === undefined ? undefined : { point: found, at: pixelAt(size(), sight, { x, y }) });
  }, [points, sight]);
  const onMove = (event: PointerEvent) => {
    isByKeys.current = false;
    const to = pixelOf(event);
    const from = pressed.current.get(event.pointerId);
    if (!from) return point(to);
    if (clicked.current && distance(clicked.current, to) > slack) clicked.current = undefined;
    if (isChoosing) {
      circled.current.push(to);
      return setLasso([...circled.current]);
    }
    pressed.current.set(event.pointerId, to);
    const other = [...pressed.current].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) return move(from, to);
    // Two fingers: what is between them stays between them.
    enlarge(distance(to, other) / Math.max(1, distance(from, other)), between(from, other));
    move(between(from, other), between(to, other));
  };
  const onUp = (event: PointerEvent) => {
    pressed.current.delete(event.pointerId);
    if (circled.current.length > 2) onChoose(pointsInside(points, circled.current.map(onMap)));
    circled.current = [];
    setLasso([]);
    const pixel = clicked.current;
    clicked.current = undefined;
    if (!pixel || isChoosing) return;
    const found = find(pixel, event.pointerType === 'touch' ? reach.touch : reach.mouse);
    if (found !== undefined) onOpen(found);
  };
  const chooseAll = () => {
    const { width, height } = size();
    const corners = [
      { x: 0, y: 0 },
      { x: width, y: 0 },
      { x: width, y: height },
      { x: 0, y: height },
    ];
    onChoose(pointsInside(points, corners.map(onMap)));
  };
  const onKey = (event: KeyboardEvent) => {
    const { x, y } = middle();
    const act = {
      ArrowLeft: () => move({ x, y }, { x: x + keyStep, y }),
      ArrowRight: () => move({ x, y }, { x: x - keyStep, y }),
      ArrowUp: () => move({ x, y }, { x, y: y + keyStep }),
      ArrowDown: () => move({ x, y }, { x, y: y - keyStep }),
      '+': () => enlarge(1.5),
      '-': () => enlarge(1 / 1.5),
      '0': () => setSight({ ...wholeMap }),
      Enter: () => (isChoosing ? chooseAll() : pointed && onOpen(pointed.point)),
    }[event.key];
    if (!act) return;
    isByKeys.current = true;
    act();
    event.preventDefault();
  };
  const citation = pointed && map.points.citation[pointed.point];
  return (
    <div class="map">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Map of ${map.chunks} chunks`}
        tabIndex={0}
        class={isChoosing ? 'is-choosing' : pointed ? 'is-pointing' : ''}
        onKeyDown={onKey}
        onBlur={() => setPointed(undefined)}
        onWheel={(event) => {
          event.preventDefault();
          enlarge(Math.exp(-event.deltaY / 400), pixelOf(event));
        }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          pressed.current.set(event.pointerId, pixelOf(event));
          clicked.current = pressed.current.size === 1 ? pixelOf(event) : undefined;
          setPointed(undefined);
          circled.current = isChoosing ? [pixelOf(event)] : [];
        }}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerCancel={onUp}
        onPointerLeave={() => setPointed(undefined)}
      />
      {lasso.length > 1 && (
        <svg class="lasso" aria-hidden="true">
          <polygon points={lasso.map(({ x, y }) => `${x},${y}`).join(' ')} />
        </svg>
      )}
      <div class="map-labels" aria-hidden="true">
        {labels.map((label) => {
          const { x, y } = label;
          return (
            <span key={label.text} style={{ left: `${x}px`, top: `${y}px` }}>
              {plainly(label.text)}
            </span>
          );
        })}
      </div>
      {pointed && citation !== undefined && (
        <p class="pointed" role="status" style={{ left: `${pointed.at.x}px`, top: `${pointed.at.y}px` }}>
          {plainly(citation)}
        </p>
      )}
      {failed && <p class="notice">This browser draws no WebGL; the list of documents is in the status.</p>}
      <div class="map-tools">
        <button type="button" aria-label="Enlarge" title="Enlarge (+)" onClick={() => enlarge(1.5)}>
          +
        </button>
        <button
          type="button"
          aria-label="Make smaller"
          title="Make smaller (-)"
          onClick={() => enlarge(1 / 1.5)}
        >
          −
        </button>
        <button type="button" title="The whole map (0)" onClick={() => setSight(wholeMap)}>
          All
        </button>
        <button
          type="button"
          title="Circle chunks, or press Enter on the map for all in sight, to search in their files"
          aria-pressed={isChoosing}
          onClick={() => setChoosing(!isChoosing)}
        >
          Choose
        </button>
      </div>
    </div>
  );
}

function distance(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function between(a: Place, b: Place): Place {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
