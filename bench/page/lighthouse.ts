// What Lighthouse says of each view, as the owner sees it, on a desk and on a phone (a slow one, as it simulates it). It is
// fetched by npx and is no dependency. Every finding that costs a score is named.
// Usage: npx node bench/page/lighthouse.ts [VIEW…]   (needs chromium, `npm run build`, and a network for npx)
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { processEnvironment } from '../../src/platform/environment.ts';
import { startTestServer } from '../../src/surfaces/http/server.fixture.ts';
import { browserProgram } from '../../test/page/browser.ts';
import { corpus } from '../../test/page/corpus.ts';

const version = '13.5.0';
const all = ['search?query=boat', 'ask', 'map', 'status', 'reports', 'settings', 'projects'];
const categories = ['performance', 'accessibility', 'best-practices'];

interface Report {
  /** Why nothing could be measured. */
  readonly runtimeError?: { readonly code: string; readonly message: string };
  readonly categories: Readonly<
    Record<
      string,
      {
        readonly score: number;
        readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
      }
    >
  >;
  readonly audits: Readonly<
    Record<string, { readonly score: number | null; readonly title: string; readonly displayValue?: string }>
  >;
}

const home = mkdtempSync(join(tmpdir(), 'lighthouse-'));
/** With the user's own npm. */
const environment = { ...process.env, CHROME_PATH: browserProgram ?? '' };
process.env.HOME = home;
const running = await startTestServer({ environment: processEnvironment });
try {
  const folder = await running.folder(corpus);
  const { id } = await running.client.openFolder(folder);
  await running.client.call(id, 'index', {});
  const wanted = process.argv.slice(2);
  for (const view of wanted.length > 0 ? wanted : all)
    for (const device of ['desk', 'phone'] as const) await examine(id, view, device);
} finally {
  await running.server.end();
  rmSync(home, { recursive: true, force: true });
}

type Device = 'desk' | 'phone';

/** Lighthouse now and then misses the beginning of the navigation (NO_NAVSTART): then it looks once more. */
async function examine(project: string, view: string, device: Device): Promise<void> {
  const report = await lookAt(project, view, device).catch((thrown: unknown) => {
    if (!String(thrown).includes('NO_NAVSTART')) throw thrown;
    return lookAt(project, view, device);
  });
  show(`${view}, ${device}`, report);
}

/** What Lighthouse says of a view, by a link of its own: the first navigation uses it up. */
async function lookAt(project: string, view: string, device: Device): Promise<Report> {
  const { address, key } = (await running.client.request('POST', '/v1/engine/page', {})) as {
    address: string;
    key: string;
  };
  const report = join(home, 'report.json');
  const words = [
    ...[
      '--yes',
      `lighthouse@${version}`,
      `${address}/#key=${key}&to=${encodeURIComponent(`/${project}/${view}`)}`,
    ],
    ...['--quiet', '--output=json', `--output-path=${report}`, '--no-enable-error-reporting'],
    ...[`--only-categories=${categories.join(',')}`, ...(device === 'desk' ? ['--preset=desktop'] : [])],
    '--chrome-flags=--headless=new --no-sandbox --enable-unsafe-swiftshader',
  ];
  await promisify(execFile)('npx', words, { env: environment });
  const found = JSON.parse(readFileSync(report, 'utf8')) as Report;
  if (found.runtimeError) throw new Error(`${found.runtimeError.code}: ${found.runtimeError.message}`);
  return found;
}

function show(title: string, { categories: scores, audits }: Report): void {
  const shown = categories.map((name) => `${name} ${Math.round((scores[name]?.score ?? 0) * 100)}`);
  const paints = [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
  ];
  console.log(
    `${title}: ${shown.join(', ')}; ${paints.map((name) => audits[name]?.displayValue).join(', ')}`,
  );
  const costly = Object.values(scores).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ id: name, weight }) => weight > 0 && (audits[name]?.score ?? 1) < 0.9),
  );
  for (const { id: name } of costly)
    console.log(`  ${name}: ${audits[name]?.title} ${audits[name]?.displayValue ?? ''}`);
}
