import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** What came of each step of a visit; a step that failed has the reason in `failed`. */
// biome-ignore lint/suspicious/noExplicitAny: what the steps of the visit write down is looked at by the tests alone.
export type Report = Readonly<Record<string, any>>;

/** How the command line of another platform is started there: paths in the words of that platform. */
export interface VisitPlaces {
  /** The command that the installer wrote, without an ending. */
  readonly installed: string;
  readonly node: string;
  readonly program: string;
  readonly folder: string;
  /** The same folder in the words of this machine: the report and the words for the visit lie beside it. */
  readonly folderHere: string;
  /** Translates a path of this machine. */
  there(path: string): string;
}

/**
 * Runs a program and waits for its end; its streams are files, since not every emulator can use pipes of this machine.
 * Returns what it printed, and throws where it failed.
 */
export async function runEmulated(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { cwd, log }: { readonly cwd: string; readonly log: string },
): Promise<string> {
  const [program = '', ...rest] = words;
  const output = openSync(log, 'w');
  const child = spawn(program, rest, { cwd, env, stdio: ['ignore', output, output] });
  const code = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  const text = await readFile(log, 'utf8');
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${text}`);
  return text;
}

/** What came of a visit to another platform. */
export interface Visited {
  readonly report: Report;
  /** The page of its engine, as this machine gets it: under Wine Node.js listens, and does not connect. */
  readonly page: string;
}

/** Has a user of the other platform do what is done on every one, and then these steps; `start` runs a program of Node.js there. */
export async function visitPlatform(
  places: VisitPlaces,
  steps: readonly string[],
  start: (...words: string[]) => Promise<string>,
): Promise<Visited> {
  const first = await visit(places, ['command', 'index', 'engine'], start);
  const page = first.engine.url ? await (await fetch(first.engine.url)).text() : '';
  const later = await visit(places, ['mcp', 'stop', 'watch', ...steps, 'kill'], start);
  return { report: { ...first, ...later }, page };
}

/** The promises that hold on every platform, for a package with this version and a project with so many documents. */
export function testPlatform(
  of: () => Visited & { readonly version: string },
  { documents, hit }: { readonly documents: number; readonly hit: object },
): void {
  test('its command runs as the installer has written it', () => {
    expect(of().report.command).toBe(of().version);
  });

  test('indexes with the model, and prints nothing that is not meant for people', () => {
    expect(of().report.index).toMatchObject({ summary: { documents: { indexed: documents, failed: 0 } } });
    expect(of().report.index.stderr).toBe('');
  });

  test('answers from an engine in the background: status, search by meaning, quotes, the page', () => {
    expect(of().report.engine).toMatchObject({
      engine: { pid: expect.any(Number) },
      hit,
      answer: expect.stringContaining('eighty degrees'),
      sound: true,
    });
    expect(of().page).toContain('<title>Quarry</title>');
  });

  test('speaks MCP over stdio', () => {
    const tool = expect.stringContaining('tea.md');
    expect(of().report.mcp).toMatchObject({ server: 'quarry', tool, code: 0 });
  });

  test('ends its engine', () => {
    expect(of().report.stop).toEqual({ stdout: 'The engine ends.\n' });
  });

  test('indexes what changes while it watches', () => {
    expect(of().report.watch).toBe('notes/new/heron.md');
  });

  test('a run that was killed loses nothing of what it said is indexed, and the next one completes the index', () => {
    const { kill } = of().report;
    expect(kill).toMatchObject({ wasWhole: false, sound: true });
    expect(kill.reported).toBeGreaterThan(0);
    expect(kill.indexedAgain).toBeLessThanOrEqual(0);
    expect(kill.documents).toBeGreaterThanOrEqual(103);
  });
}

/** Has a user of the other platform take these steps. */
async function visit(
  { folderHere, there, ...places }: VisitPlaces,
  steps: readonly string[],
  start: (...words: string[]) => Promise<string>,
): Promise<Report> {
  const words = join(folderHere, '..', 'visit.json');
  const report = join(folderHere, '..', 'report.json');
  await writeFile(words, JSON.stringify({ ...places, steps, report: there(report) }));
  await start(there(fileURLToPath(new URL('platform-visit.mjs', import.meta.url))), there(words));
  const text = await readFile(report, 'utf8');
  const { seconds, ...results } = JSON.parse(text);
  const times = Object.entries(seconds).map(([step, took]) => `${step} ${took} s`);
  process.stdout.write(`${places.installed}: ${times.join(', ')}\n`);
  const failures = Object.entries<{ failed?: string }>(results).filter(([, { failed }]) => failed);
  for (const [step, { failed }] of failures) process.stdout.write(`${step}: ${failed}\n`);
  return results;
}
