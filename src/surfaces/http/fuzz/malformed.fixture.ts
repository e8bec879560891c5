/** Draws of malformed requests: each is a pure function of the numbers it is given. */
export interface Malformed {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Bytes that are sent as they are, in place of the rest. */
  readonly raw?: Uint8Array;
  /** Whether its sender then waits, with the request unfinished. */
  readonly isHeld?: boolean;
}

/** What a request is made from. */
export interface Material {
  /** Routes with their parameters as `:name`. */
  readonly routes: readonly string[];
  /** Ids of projects and jobs that exist. */
  readonly ids: readonly string[];
  /** Bodies that are right. */
  readonly bodies: readonly object[];
}

type Draw = () => number;

const hostile: readonly unknown[] = [
  '',
  ' ',
  '\0',
  '../../../etc/passwd',
  '..%2f..%2f',
  '%00',
  '%',
  '%zz',
  '__proto__',
  'constructor',
  'toString',
  'C:\\Windows',
  '\u202e',
  '\ud800',
  '🙂'.repeat(50),
  'a'.repeat(3000),
  '"',
  "'; DROP TABLE documents; --",
  '<script>',
  '$(id)',
  '{{7*7}}',
  '(a+)+$',
  '[',
  '((((',
  '*'.repeat(100),
  '!(',
  '{a,b}{c,d}{e,f}',
  'null',
  '-1',
  '1e400',
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  true,
  false,
  null,
  [],
  {},
  [[]],
  [null],
  [{}],
  { length: 1e9 },
  { toString: 1 },
];
const hostileTexts = hostile.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
const methods = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'QUERY'];
const headerValues: Readonly<Record<string, readonly string[]>> = {
  host: ['evil.example', '', 'localhost:99999', '127.0.0.1', '[::1', 'localhost.', 'LOCALHOST', '\u00ff'],
  origin: ['null', 'https://evil.example', 'http://localhost', 'file://', ':', 'http://127.0.0.1:1@evil'],
  authorization: ['Bearer', 'Bearer x', 'Basic eDp5', `Bearer ${'a'.repeat(5000)}`, 'bearer quarry_a_b', ' '],
  accept: [
    'application/x-ndjson',
    'text/event-stream',
    '*/*',
    ';;;',
    'application/x-ndjson, text/event-stream',
    '\t',
  ],
  'content-type': ['text/plain', 'multipart/form-data; boundary=x', 'application/json; charset=utf-16', ''],
  'content-encoding': ['gzip', 'br', 'identity', 'gzip, gzip', 'x'],
  'accept-encoding': ['gzip', 'identity;q=0', '*'],
  'if-none-match': ['*', '"x"', 'W/'],
  range: ['bytes=0-', 'bytes=-1', 'x'],
  expect: ['100-continue', 'x'],
  upgrade: ['websocket', 'h2c', 'WebSocket, h2c'],
  connection: ['upgrade', 'close', 'keep-alive, Upgrade'],
  'sec-websocket-key': ['x', 'dGhlIHNhbXBsZSBub25jZQ==', ''],
  'sec-websocket-version': ['13', '8', 'x'],
  cookie: ['a=b', '='.repeat(2000)],
  'quarry-build': ['test', 'other'],
  'quarry-environment': ['test', 'other'],
  'x-forwarded-for': ['127.0.0.1', 'x'],
  'x-http-method-override': ['DELETE'],
};

const pick = <Value>(draw: Draw, values: readonly Value[]): Value =>
  values[Math.floor(draw() * values.length)] as Value;

/** The next malformed request. */
export function malformed(draw: Draw, material: Material): Malformed {
  const [rightMethod = 'GET', pattern = '/'] = pick(draw, material.routes).split(' ');
  const method = draw() < 0.8 ? rightMethod : pick(draw, methods);
  const path = pathOf(draw, pattern, material.ids);
  const body = method === 'GET' || method === 'HEAD' ? new Uint8Array() : bodyOf(draw, material.bodies);
  const request = { method, path, headers: headersOf(draw), body };
  if (draw() < 0.03) return { ...request, raw: heldOf(draw, request), isHeld: true };
  return draw() < 0.15 ? { ...request, raw: rawOf(draw, request) } : request;
}

function pathOf(draw: Draw, pattern: string, ids: readonly string[]): string {
  const filled = pattern.replaceAll(/:\w+/g, () =>
    draw() < 0.6
      ? pick(draw, [...ids, 'index-1', 'paths', 'writer'])
      : encoded(draw, pick(draw, hostileTexts)),
  );
  const query =
    draw() < 0.3
      ? `?${pick(draw, ['confirm', 'background', 'project', 'x', '__proto__'])}=${encoded(draw, pick(draw, ['yes', ...hostileTexts]))}`
      : '';
  const path = draw() < 0.05 ? `/${encoded(draw, pick(draw, hostileTexts))}${filled}` : filled;
  return (path + query).replaceAll(/[^\x21-\x7e]/g, '%20');
}

function encoded(draw: Draw, text: string): string {
  return draw() < 0.5 ? encodeURIComponent(text.toWellFormed()) : text.replaceAll(/[\s#?]/g, '_');
}

function headersOf(draw: Draw): Record<string, string> {
  const headers: Record<string, string> = {};
  if (draw() < 0.05) headers.authorization = `Bearer quarry_${Math.floor(draw() * 1e9)}_${draw()}`;
  while (draw() < 0.4) {
    const name = pick(draw, Object.keys(headerValues));
    headers[name] = pick(draw, headerValues[name] ?? ['']);
  }
  return headers;
}

function bodyOf(draw: Draw, bodies: readonly object[]): Uint8Array {
  const kind = draw();
  if (kind < 0.05) return new Uint8Array();
  if (kind < 0.1)
    return Uint8Array.from({ length: Math.floor(draw() * 300) }, () => Math.floor(draw() * 256));
  if (kind < 0.13)
    return Buffer.from(
      pick(draw, ['{"a":'.repeat(200), '['.repeat(3000), '{"x":1e999}', '\ufeff{}', '{}{}', '"text"', '7']),
    );
  if (kind < 0.17) return vastOf(draw);
  const text = JSON.stringify(mutated(draw, pick(draw, bodies)));
  return Buffer.from(kind < 0.2 ? text.slice(0, Math.floor(draw() * text.length)) : text);
}

/** A document that is deep or wide: small on the wire, large in memory. Some are larger than any route takes. */
function vastOf(draw: Draw): Uint8Array {
  const length = Math.floor(draw() ** 4 * 3e6);
  const part = pick(draw, ['[', '{"a":', '[],', '"",', '0,', '{},', '{"a":0},', '"\\u0000",', ',', '\\']);
  const key = pick(draw, ['query', 'paths', 'chunks', 'arguments', 'embedding', 'project', 'messages', 'x']);
  const many = part.repeat(Math.ceil(length / part.length));
  if (draw() < 0.7) return Buffer.from(`{"${key}":[${many}0]}`);
  const keys = Array.from({ length: Math.ceil(length / 10) }, (_, at) => `"k${at}":0`).join(',');
  return Buffer.from(`{${keys}}`);
}

/** A request whose body stays unfinished. */
function heldOf(draw: Draw, { method, path, body }: Malformed): Uint8Array {
  const rest = Buffer.alloc(Math.floor(draw() ** 3 * 4e6), ' ');
  const announced = pick(draw, [
    'transfer-encoding: chunked',
    `content-length: ${body.length + rest.length + 1}`,
  ]);
  const isChunked = announced.startsWith('transfer');
  const size = `${(body.length + rest.length + 1).toString(16)}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${announced}\r\n\r\n${isChunked ? size : ''}`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body, rest]);
}

/** The value with some of its parts replaced, added or left out. */
function mutated(draw: Draw, value: unknown, depth = 0): unknown {
  if (draw() < 0.12) return pick(draw, hostile);
  if (Array.isArray(value)) {
    const repeated = draw() < 0.1 ? value.concat(value, value) : value;
    return repeated.map((part) => mutated(draw, part, depth + 1));
  }
  if (typeof value !== 'object' || value === null || depth > 8) return value;
  const entries = Object.entries(value)
    .filter(() => draw() > 0.08)
    .map(([key, part]) => [key, mutated(draw, part, depth + 1)] as const);
  if (draw() < 0.15) entries.push([pick(draw, hostileTexts), pick(draw, hostile)]);
  return Object.fromEntries(entries);
}

/** A request that breaks HTTP itself: lengths that contradict, broken chunks, bare line feeds, random bytes. */
function rawOf(draw: Draw, { method, path, body }: Malformed): Uint8Array {
  const length = pick(draw, [
    'content-length: -1',
    'content-length: 99999999999',
    'content-length: 3\r\ncontent-length: 5',
    'transfer-encoding: chunked\r\ncontent-length: 4',
    'transfer-encoding: xchunked',
    'transfer-encoding: chunked',
    `content-length: ${Math.floor(draw() * 40)}`,
    'content-length: 0x10',
    'content-length: 1e3',
    `x: ${'y'.repeat(20_000)}`,
  ]);
  const line = pick(draw, [
    `${method} ${path} HTTP/1.1`,
    `${method} ${path} HTTP/9.9`,
    `${method}  ${path}`,
    `${path}`,
    '\0\0\0',
    `GET http://evil.example${path} HTTP/1.1`,
    'PRI * HTTP/2.0',
    `${method} ${path} HTTP/1.0`,
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'OPTIONS * HTTP/1.1',
  ]);
  const end = pick(draw, ['\r\n', '\n', '\r', '\r\n ']);
  const head = Buffer.from(`${line}${end}host: localhost${end}${length}${end}${end}`, 'latin1');
  const tail =
    draw() < 0.5
      ? Buffer.from(
          pick(draw, ['5\r\nabc', 'ffffffffffffffff\r\n', '-1\r\n', '0\r\n\r\n', '4;x=y\r\nabcd\r\n0\r\n']),
        )
      : body;
  return Buffer.concat([head, tail]);
}
