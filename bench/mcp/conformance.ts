// The official conformance suite against `quarry serve`, for the newest revision and the one before. Many of its checks want
// tools, prompts or files of its own reference server; those are counted apart. Any other failure ends it with an error.
// Usage: npx node bench/mcp/conformance.ts SERVERS
//   SERVERS  a folder where @modelcontextprotocol/conformance (0.2 or newer) is installed
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startTestServer } from '../../src/surfaces/http/server.fixture.ts';

const suite = join(resolve(process.argv[2] ?? ''), 'node_modules/.bin/conformance');
const runs = [
  ['--requirements', '2026-07-28'],
  ['--suite', 'all', '--spec-version', '2025-11-25'],
];
/** What a check says that cannot be made here: something of the reference server, or an extension, is not there. */
const cannotBeMade =
  /no (tool|prompt) "|"test:\/\/|Not testable|not found\. Available tools|Method not found|fixture|Prerequisite failed|Expected InputRequiredResult/;
const ofExtension = /^tasks-/;

/** One check as the suite writes it down. */
interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

const place = await mkdtemp(join(tmpdir(), 'bench-conformance-'));
const running = await startTestServer();
try {
  const folder = await running.folder({ 'heron.md': '# Heron\n\nThe heron waits in the reeds.\n' });
  const { id } = await running.client.openFolder(folder);
  await running.client.call(id, 'index', {});
  for (const [at, words] of runs.entries()) {
    const results = join(place, String(at));
    const args = [suite, 'server', '--url', `${running.url}/mcp`, ...words, '-o', results];
    // Its exit code tells of any failed check.
    await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 }).catch(() => undefined);
    report(words.join(' '), results);
  }
} finally {
  await running.server.end();
  await rm(place, { recursive: true, force: true, maxRetries: 5 });
}

function report(name: string, results: string): void {
  const counts = { passed: 0, 'not for us': 0, warned: 0, failed: 0 };
  const passed: string[] = [];
  for (const file of globSync(join(results, '*', 'checks.json')).toSorted()) {
    const scenario = basename(dirname(file)).replace(/^server-(.+)-\d{4}-.*$/, '$1');
    for (const { id, status, errorMessage = '' } of JSON.parse(readFileSync(file, 'utf8')) as Check[]) {
      const isOurs = !cannotBeMade.test(errorMessage) && !ofExtension.test(scenario);
      if (status === 'SUCCESS') {
        counts.passed += 1;
        passed.push(id);
      } else if (status === 'WARNING' || status === 'FAILURE') {
        const kind = isOurs ? (status === 'WARNING' ? 'warned' : 'failed') : 'not for us';
        counts[kind] += 1;
        if (isOurs) process.stdout.write(`${status} ${scenario}: ${id}: ${errorMessage}\n`);
      }
    }
  }
  process.stdout.write(`${name}: ${JSON.stringify(counts)}\n  passed: ${[...new Set(passed)].join(', ')}\n`);
  if (counts.failed > 0) process.exitCode = 1;
}
