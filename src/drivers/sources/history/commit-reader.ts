import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { newNonce } from '../../../platform/nonce.ts';
import { createSerialQueue } from '../../../platform/serial-queue.ts';
import { CommitCollector, type CommitRecord, commitFormat } from './commit-collector.ts';
import type { GitView } from './git-view.ts';
import { outputOf } from './output.ts';
import { OutputLines } from './output-lines.ts';
import type { Repository } from './repository.ts';
import { refused } from './repository.ts';

/** A commit, and why a part of it is missing. */
export interface ReadCommit {
  readonly record: CommitRecord;
  readonly missing?: string;
}

/** Reads commits one by one. */
export interface CommitReader {
  read(hash: string): Promise<ReadCommit>;
}

/** What one commit may take before its changes are passed over. */
const bounds = { milliseconds: 20_000, bytes: 64 * 1024 * 1024 };
/** The same for its names alone. */
const lesser = { milliseconds: 10_000, bytes: 4 * 1024 * 1024 };
/** Milliseconds for commits that cannot be read whole, together; after it only what is said of one is read. */
const maxWasted = 300_000;
/** A process that nobody asks anything of ends after so many milliseconds. */
const idleAfter = 1000;

const tree = ['diff-tree', '--root', '--always', '-r', '--raw', '--no-color', '--full-index', commitFormat];
const changes = [
  ...['-p', '-U1', '-M', '-l200', '--no-ext-diff', '--no-textconv', '--diff-algorithm=myers'],
  ...['--src-prefix=a/', '--dst-prefix=b/', '--submodule=short', '--ignore-submodules=none'],
];

/** One process of git answers for commit after commit; it ends by itself when there is nothing to ask, or when we end. */
export function createCommitReader(view: GitView, { within }: Pick<Repository, 'within'>): CommitReader {
  const inTurn = createSerialQueue();
  const place = within === undefined ? [] : ['--', within];
  let open: Asked | undefined;

  /** Asks the process that is there, or a new one; undefined where it ends before it has answered. */
  const ask = async (hash: string): Promise<CommitRecord | undefined> => {
    if (!open || open.hasEnded()) open = startAsking(view.start([...tree, ...changes, '--stdin', ...place]));
    return open.ask(hash);
  };
  const alone = async (words: readonly string[]): Promise<CommitRecord | undefined> => {
    const collector = new CommitCollector();
    const lines = new OutputLines((line) => collector.line(line));
    // What fails here is what fails below, where the reason is given.
    const output = await outputOf(view.start(words), lesser).catch(() => undefined);
    if (!output) return undefined;
    lines.add(output);
    lines.end();
    return collector.record();
  };

  let wasted = 0;
  return {
    read: (hash) =>
      inTurn(async () => {
        const begun = performance.now();
        const isPatient = wasted < maxWasted;
        const whole = isPatient ? await ask(hash) : undefined;
        if (whole) return { record: whole };
        const named = isPatient ? await alone([...tree, '--no-renames', hash, ...place]) : undefined;
        wasted += performance.now() - begun;
        const missing = 'its changes are too large, or not all of it is in this clone';
        if (named) return { record: named, missing };
        const said = await alone(['rev-list', '--max-count=1', '--no-walk', commitFormat, hash]);
        if (said) return { record: said, missing: 'not all of it is in this clone' };
        throw refused(`the commit ${hash} cannot be read`, 'look at it with `git fsck`');
      }),
  };
}

interface Asked {
  ask(hash: string): Promise<CommitRecord | undefined>;
  hasEnded(): boolean;
}

function startAsking(child: ChildProcessWithoutNullStreams): Asked {
  // No commit can know the line that ends its answer.
  const mark = `end ${newNonce(16)}`;
  let current: { collector: CommitCollector; bytes: number; done: (isWhole: boolean) => void } | undefined;
  let ended = false;
  const end = (): void => {
    ended = true;
    child.kill('SIGKILL');
    current?.done(false);
  };
  const lines = new OutputLines((line) => {
    if (line === mark) current?.done(true);
    else current?.collector.line(line);
  });
  child.stdout.on('data', (part: Buffer) => {
    if (!current) return;
    current.bytes += part.length;
    if (current.bytes > bounds.bytes) end();
    else lines.add(part);
  });
  child.stderr.resume();
  child.stdin.on('error', end);
  child.on('error', end).on('close', end);
  let idle: NodeJS.Timeout | undefined;
  const holdProcess = (isHeld: boolean): void => {
    // Streams of a child are sockets, which their type does not say.
    const streams = [child.stdin, child.stdout, child.stderr] as unknown as NodeJS.Socket[];
    for (const each of [child, ...streams] as { ref(): unknown; unref(): unknown }[])
      if (isHeld) each.ref();
      else each.unref();
  };
  return {
    hasEnded: () => ended,
    ask: (hash) =>
      new Promise((resolve) => {
        clearTimeout(idle);
        holdProcess(true);
        const timer = setTimeout(end, bounds.milliseconds);
        const collector = new CommitCollector();
        const done = (isWhole: boolean): void => {
          clearTimeout(timer);
          current = undefined;
          holdProcess(false);
          idle = setTimeout(end, idleAfter).unref();
          resolve(isWhole ? collector.record() : undefined);
        };
        current = { collector, bytes: 0, done };
        if (ended) done(false);
        else child.stdin.write(`${hash}\n${mark}\n`);
      }),
  };
}
