import type { Points } from './points.ts';
import { extentOf, type Sight } from './sight.ts';

/** Draws points on a canvas. */
export interface Drawing {
  /** Takes new points. */
  load(points: Points): void;
  /** Sets off these points from the others; none where all are alike. */
  light(lit: ReadonlySet<number>): void;
  /** Draws so many of the points, a fair sample where they are not all. */
  draw(sight: Sight, size: number, max?: number): void;
  end(): void;
}

const vertexShader = `#version 300 es
in vec2 place; in vec3 colour; in float lit;
uniform vec2 middle; uniform vec2 zoom; uniform float size; uniform float anyLit;
out vec4 shade;
void main() {
  gl_Position = vec4((place - middle) * zoom, lit > 0.5 ? -0.5 : 0.0, 1.0);
  gl_PointSize = lit > 0.5 ? size * 1.5 + 4.0 : size;
  float strength = anyLit < 0.5 ? 0.8 : (lit > 0.5 ? 1.0 : 0.3);
  shade = vec4(colour * strength, strength);
}`;
const fragmentShader = `#version 300 es
precision mediump float;
in vec4 shade; out vec4 result;
void main() {
  float away = length(gl_PointCoord - 0.5);
  if (away > 0.5) discard;
  result = shade * (1.0 - smoothstep(0.42, 0.5, away));
}`;

/** A drawing in WebGL; undefined where the browser has none. */
export function createDrawing(canvas: HTMLCanvasElement): Drawing | undefined {
  const gl = canvas.getContext('webgl2', { antialias: false });
  if (!gl) return undefined;
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ] as const) {
    const shader = gl.createShader(kind);
    if (!shader) return undefined;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  const buffers = new Map<string, WebGLBuffer | null>();
  const fill = (name: string, width: number, values: Float32Array): void => {
    const place = gl.getAttribLocation(program, name);
    if (!buffers.has(name)) buffers.set(name, gl.createBuffer());
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers.get(name) ?? null);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, width, gl.FLOAT, false, 0, 0);
  };
  const [middle, enlarged, pointSize, anyLit] = ['middle', 'zoom', 'size', 'anyLit'].map((name) =>
    gl.getUniformLocation(program, name),
  );
  const order = gl.createBuffer();
  let count = 0;
  let hasLit = false;
  return {
    load({ places, colours }) {
      count = places.length / 2;
      fill('place', 2, places);
      fill('colour', 3, colours);
      fill('lit', 1, new Float32Array(count));
      hasLit = false;
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, order);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, shuffled(count), gl.STATIC_DRAW);
    },
    light(lit) {
      hasLit = lit.size > 0;
      fill(
        'lit',
        1,
        Float32Array.from({ length: count }, (_, point) => (lit.has(point) ? 1 : 0)),
      );
    },
    draw({ x, y, zoom }, size, max = count) {
      const { width, height } = canvas;
      const { wide, high } = extentOf(canvas);
      gl.viewport(0, 0, width, height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.uniform2f(middle ?? null, x, y);
      gl.uniform2f(enlarged ?? null, (zoom * 1.9 * wide) / width, (zoom * 1.9 * high) / height);
      gl.uniform1f(pointSize ?? null, size);
      gl.uniform1f(anyLit ?? null, hasLit ? 1 : 0);
      gl.drawElements(gl.POINTS, Math.min(max, count), gl.UNSIGNED_INT, 0);
    },
    end: () => gl.getExtension('WEBGL_lose_context')?.loseContext(),
  };
}

/** The numbers of all points in an order of chance, always the same: its beginning is a fair sample. */
function shuffled(count: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, point) => point);
  let state = 1;
  for (let place = count - 1; place > 0; place -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (place + 1));
    [order[place], order[other]] = [order[other] as number, order[place] as number];
  }
  return order;
}
