import { type Agent, request } from 'node:http';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { draws } from '../../../core/draws.ts';
import type { AnsweredRequest } from '../refusal-log.ts';
import { type Malformed, type Material, malformed } from './malformed.fixture.ts';

/** What came of many malformed requests. */
export interface FuzzReport {
  sent: number;
  webSockets: number;
  /** Answers by status; `cut` where the connection ended without one. */
  readonly answers: Map<string, number>;
  /** Answers that blame the server. */
  readonly failures: { readonly what: string; readonly status: string; readonly id: string }[];
  /** Answers that told a path or a stack of the server. */
  readonly leaks: string[];
}

/** A server under attack. */
export interface Target {
  readonly url: string;
  /** Texts that no answer may hold. */
  readonly secrets: readonly string[];
  readonly material: Material;
  readonly agent: Agent;
  /** Paths that talk over a WebSocket. */
  readonly socketPaths: readonly string[];
}

/** How many are sent, and how. */
export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  readonly atOnce?: number;
  /** Ends it early; what was seen until then is reported. */
  readonly signal?: AbortSignal;
}

/** Sends malformed requests, several at a time, and looks at each answer. */
export async function fuzz(
  target: Target,
  { requests, seed, atOnce = 8, signal }: FuzzOptions,
): Promise<FuzzReport> {
  const report: FuzzReport = { sent: 0, webSockets: 0, answers: new Map(), failures: [], leaks: [] };
  const draw = draws(seed);
  const worker = async (): Promise<void> => {
    while (report.sent < requests && signal?.aborted !== true) {
      report.sent += 1;
      if (draw() < 0.1 && target.socketPaths.length > 0) await talk(target, draw, report);
      else {
        const drawn = malformed(draw, target.material);
        const { raw, isHeld = false } = drawn;
        const answer = await (raw ? sendRaw(target, raw, isHeld) : send(target, drawn));
        judge(target, `${drawn.method} ${drawn.path}`, answer, report);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return report;
}

interface Answer {
  readonly status: string;
  readonly id: string;
  readonly text: string;
}
const cut: Answer = { status: 'cut', id: '', text: '' };
/** Milliseconds until a stream that has no end is left. */
const patience = 800;

function send(target: Target, { method, path, headers, body }: Malformed): Promise<Answer> {
  return new Promise((resolve) => {
    try {
      const { hostname, port } = new URL(target.url);
      const outgoing = request(
        {
          hostname,
          port,
          method,
          path,
          agent: target.agent,
          headers: { ...headers, 'content-length': body.length },
        },
        (incoming) => {
          let text = '';
          const id = String(incoming.headers['quarry-request'] ?? '');
          const done = (): void => resolve({ status: String(incoming.statusCode), id, text });
          incoming.on('data', (part) => (text += part));
          incoming.on('end', done);
          incoming.on('error', done);
          setTimeout(() => outgoing.destroy(), patience).unref();
          incoming.on('close', done);
        },
      );
      outgoing.on('upgrade', (_, socket) => {
        socket.destroy();
        resolve({ ...cut, status: '101' });
      });
      outgoing.on('error', () => resolve(cut));
      outgoing.setTimeout(20_000, () => outgoing.destroy());
      outgoing.end(body);
    } catch {
      // The client of Node.js refuses to send some of it.
      resolve({ ...cut, status: 'unsent' });
    }
  });
}

/** Sends bytes as they are. One that holds its request says nothing more, and stays. */
function sendRaw({ url }: Target, bytes: Uint8Array, isHeld: boolean): Promise<Answer> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      if (isHeld) socket.write(bytes);
      else socket.end(bytes);
    });
    socket.setTimeout(patience, () => socket.destroy());
    socket.on('data', (part) => (text += part.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'cut';
      resolve({ status, id: /quarry-request: (\S+)/i.exec(text)?.[1] ?? '', text });
    });
  });
}

/** Says nonsense over a WebSocket: frames of any kind, and bytes that are no frame. */
function talk(target: Target, draw: () => number, report: FuzzReport): Promise<void> {
  report.webSockets += 1;
  const path = target.socketPaths[Math.floor(draw() * target.socketPaths.length)] ?? '/';
  const messages = Array.from(
    { length: 1 + Math.floor(draw() * 4) },
    () => malformed(draw, target.material).body,
  );
  const isRude = draw() < 0.3;
  return new Promise((resolve) => {
    const socket = new WebSocket(target.url.replace('http', 'ws') + path);
    const leave = setTimeout(() => socket.terminate(), patience);
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_, response) => {
      response.resume();
      socket.terminate();
    });
    socket.on('message', (data) => {
      judge(target, `WebSocket ${path}`, { status: '101', id: '', text: String(data) }, report, false);
    });
    socket.on('open', () => {
      for (const message of messages) socket.send(message, { binary: draw() < 0.5 });
      if (isRude)
        (socket as unknown as { _socket: { write(bytes: Uint8Array): void } })._socket.write(
          messages[0] ?? new Uint8Array([0xff]),
        );
      else socket.close();
    });
    socket.on('close', () => {
      clearTimeout(leave);
      count(report, 'WebSocket');
      resolve();
    });
  });
}

function judge(
  target: Target,
  what: string,
  { status, id, text }: Answer,
  report: FuzzReport,
  isCounted = true,
): void {
  if (isCounted) count(report, status);
  const told =
    target.secrets.find((secret) => text.includes(secret)) ?? /\n\s+at .*\.[jt]s:\d+/.exec(text)?.[0];
  if (told !== undefined) report.leaks.push(`${what} told ${told}`);
  if (status.startsWith('5')) report.failures.push({ what, status, id });
}

/** Faults of the server that its log does not explain, and defects that it does. */
export function faultsIn({ failures }: FuzzReport, log: readonly AnsweredRequest[]): string[] {
  const entries = new Map(log.map((entry) => [entry.request, entry]));
  return failures.flatMap(({ what, status, id }) => {
    const entry = entries.get(id);
    if (!entry?.error) return [`${what}: ${status} without a logged cause`];
    return status === '500' ? [`${what}: ${entry.error} ${entry.stack ?? ''}`] : [];
  });
}

function count({ answers }: FuzzReport, status: string): void {
  answers.set(status, (answers.get(status) ?? 0) + 1);
}
