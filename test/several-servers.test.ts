import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, connect } from '../src/client/index.ts';
import {
  noServer,
  sharedPostgres,
  type TestDatabase,
} from '../src/drivers/stores/postgres/server.fixture.ts';
import { startQuarry } from './quarry-process.ts';

/** Seconds for which servers are killed and paused; a round or two by default. */
const seconds = Number(process.env.QUARRY_TEST_SERVERS_SECONDS ?? 0);
const fileCount = 45;
const index = '"quarry/docs/index-1"';

interface Running {
  readonly child: ChildProcess;
  readonly client: Client;
  readonly pid: number;
}

let database: TestDatabase;
let folder: string;
let env: Record<string, string>;
/** The user's settings for commands in the folder. */
let config: string;
const running: Running[] = [];

beforeAll(async () => {
  if (noServer !== undefined) return;
  database = await sharedPostgres();
  folder = await mkdtemp(join(tmpdir(), 'docs-'));
  env = {
    QUARRY_STORE_DRIVER: 'postgres',
    QUARRY_STORE_URL: database.url,
    QUARRY_STORE_API_KEY: database.password,
    QUARRY_STORE_COLLECTION: 'docs',
    QUARRY_EMBEDDER_DRIVER: 'hashing',
  };
  await writeFile(join(folder, 'first.md'), '# First\n\nThe heron waits in the reeds.\n');
  config = join(await mkdtemp(join(tmpdir(), 'config-')), '.config');
  await agree(config);
  const { code, stderr } = await run(['index']);
  expect(stderr).not.toContain(database.password);
  expect(code).toBe(0);
  // Every document that is written is noted in the transaction that writes it, and takes a moment.
  database.query(`CREATE TABLE writes (uri text, revision text);
    CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO public.writes VALUES (NEW.uri, NEW.revision); PERFORM pg_sleep(0.1); RETURN NEW;
    END $$;
    CREATE TRIGGER noted AFTER INSERT OR UPDATE ON ${index}.documents FOR EACH ROW EXECUTE FUNCTION note_write()`);
});
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
});

const run = (words: readonly string[]) =>
  startQuarry(folder, words, { ...env, XDG_CONFIG_HOME: config }).finished;

/** The database may run as another user, and is agreed to. */
async function agree(configHome: string): Promise<void> {
  const address = `https://${new URL(database.url).host}`;
  const consents = [{ project: '*', address, givenAt: new Date().toISOString() }];
  await mkdir(join(configHome, 'quarry'), { recursive: true });
  await writeFile(join(configHome, 'quarry', 'consents.json'), JSON.stringify({ consents }));
}

/** A server of its own home that knows the project. */
async function serve(): Promise<Running> {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  await agree(join(home, '.config'));
  await writeFile(
    join(home, '.config', 'quarry', 'projects.yaml'),
    `projects:\n  docs:\n    folder: ${folder}\n`,
  );
  const port = await freePort();
  const { child } = startQuarry(home, ['serve', '--port', String(port), '--open'], env);
  const client = connect(`http://127.0.0.1:${port}`);
  // The first question opens the project, whose files are watched from then on.
  const answers = () =>
    client.call('docs', 'status', {}).then(
      () => true,
      () => false,
    );
  await expect.poll(answers, { interval: 200 }).toBe(true);
  const started = { child, client, pid: child.pid ?? 0 };
  running.push(started);
  return started;
}

async function writeFiles(round: number): Promise<void> {
  for (let number = 0; number < fileCount; number += 1)
    await writeFile(
      join(folder, `page${number}.md`),
      `# Page ${number}\n\nround${round} of page ${number}.\n`,
    );
}

const written = () => Number(database.query('SELECT count(*) FROM writes'));
/** Documents that were written twice with the same content. */
const twice = () => database.query('SELECT uri FROM writes GROUP BY uri, revision HAVING count(*) > 1');
/** Documents whose text is that of the round. */
const upToDate = (round: number) =>
  Number(database.query(`SELECT count(*) FROM ${index}.chunks WHERE text LIKE '%round${round} of page%'`));
/** The process that holds the lock for text. */
const owner = () =>
  Number(
    database.query(`SELECT split_part(holder, ' ', 2) FROM "quarry/docs".leases
    WHERE name = 'writer.lock' AND expires_at > now()`) || 0,
  );
/** As if a lease had run out while its owner was away; in a long run it is waited for. */
const letLeaseEnd = () => {
  if (seconds === 0)
    database.query(`UPDATE "quarry/docs".leases SET expires_at = now() - interval '1 second'`);
};

/** Asks a server over and over; what goes wrong is kept. */
function searching({ client }: Running) {
  const failures: string[] = [];
  let answers = 0;
  let isOver = false;
  const work = (async () => {
    while (!isOver) {
      await client.call('docs', 'search', { query: 'heron in the reeds', update: false }).then(
        ({ result }) => {
          answers += 1;
          if (!JSON.stringify(result).includes('first.md')) failures.push('not found');
        },
        (thrown: unknown) => failures.push(String(thrown)),
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return async () => {
    isOver = true;
    await work;
    return { failures, answers };
  };
}

/** Changes all files, and takes one server away in the midst of the work on them; the other one finishes it. */
async function lose(
  round: number,
  signal: 'SIGKILL' | 'SIGSTOP',
): Promise<{ lost: Running; left: Running; answers: number }> {
  const before = written();
  await writeFiles(round);
  await expect.poll(() => written() - before, { interval: 20 }).toBeGreaterThan(fileCount / 6);
  let owning = 0;
  const owned = () => {
    owning = owner();
    return owning;
  };
  await expect.poll(owned, { interval: 20 }).toBeGreaterThan(0);
  const lost = running.find(({ pid }) => pid === owning);
  const left = running.find(({ pid }) => pid !== lost?.pid);
  if (!lost || !left) throw new Error('The lock is held by neither of the servers.');
  const stopSearching = searching(left);
  lost.child.kill(signal);
  expect(upToDate(round)).toBeLessThan(fileCount);
  letLeaseEnd();
  await left.client.call('docs', 'index', {});
  await expect.poll(() => upToDate(round), { interval: 100 }).toBe(fileCount);
  const { failures, answers } = await stopSearching();
  expect(failures).toEqual([]);
  expect(answers).toBeGreaterThan(0);
  expect(twice()).toBe('');
  return { lost, left, answers };
}

async function loseAndReplace(round: number): Promise<number> {
  const { lost, answers } = await lose(round, 'SIGKILL');
  running.splice(running.indexOf(lost), 1);
  await serve();
  return answers;
}

async function pauseAndResume(round: number): Promise<number> {
  const { lost, left, answers } = await lose(round, 'SIGSTOP');
  const after = written();
  lost.child.kill('SIGCONT');
  // Its own work ends with its next write; it answers as before, and finds what the other one has written.
  const found = async () =>
    JSON.stringify(
      (await lost.client.call('docs', 'search', { query: `round${round} of page 3`, update: false })).result,
    );
  await expect.poll(found).toContain(`round${round} of page 3`);
  await Promise.all([lost, left].map(({ client }) => client.call('docs', 'index', {})));
  expect(written()).toBe(after);
  expect(upToDate(round)).toBe(fileCount);
  return answers;
}

describe.skipIf(noServer !== undefined)(
  `two servers on one index in PostgreSQL${noServer ? ` (${noServer})` : ''}`,
  () => {
    test('a job is claimed once, a killed owner is taken over from, a paused one overwrites nothing, and searches go on', {
      timeout: 600_000 + seconds * 2000,
    }, async () => {
      await Promise.all([serve(), serve()]);
      await writeFiles(0);
      await Promise.all(running.map(({ client }) => client.call('docs', 'index', {})));
      expect([upToDate(0), twice()]).toEqual([fileCount, '']);
      const end = performance.now() + seconds * 1000;
      let round = 0;
      let answers = 0;
      do {
        answers += await loseAndReplace(++round);
        answers += await pauseAndResume(++round);
      } while (performance.now() < end);
      expect(twice()).toBe('');
      expect(Number(database.query(`SELECT count(*) FROM ${index}.documents`))).toBe(fileCount + 1);
      const { stdout } = await quarryStatus();
      expect(JSON.parse(stdout)).toMatchObject({ documents: fileCount + 1, pending: 0 });
      if (seconds > 0)
        process.stdout.write(
          `${round} rounds, ${written()} writes, ${answers} searches meanwhile, nothing twice\n`,
        );
    });
  },
);

const quarryStatus = () => run(['status', '--json']);

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
