import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { startOfProcess } from '../platform/process-start.ts';
import type { ResidentAddress } from './resident-address.ts';
import { readNote, writeNote } from './resident-folder.ts';

/** Milliseconds that a process gets to end by itself after a signal. */
const endsWithin = 5_000;
const lookEvery = 50;

/** Notes that this process is the engine, for the day on which it does not answer; the lock of engines must be held. */
export function noteEngine(address: ResidentAddress): void {
  writeNote(address, address.process, `${process.pid}\n${startOfProcess(process.pid) ?? ''}`);
}

/** Removes that note, before the lock is released. */
export function forgetEngine({ process: file }: ResidentAddress): void {
  rmSync(file, { force: true });
}

/** The number of the process that is the engine; undefined where it has ended, or another may have its number by now. */
export async function engineProcess(address: ResidentAddress): Promise<number | undefined> {
  try {
    const [number = '', start = ''] = readNote(address, address.process)?.split('\n') ?? [];
    const pid = Number(number);
    if (!pid || pid === process.pid) return undefined;
    // Where the system does not tell when a process began: who holds the lock has written the note.
    const isSame = start === '' ? await isHeld(address.lock) : startOfProcess(pid) === start;
    return isSame ? pid : undefined;
  } catch {
    // A note that cannot be read names no process.
    return undefined;
  }
}

async function isHeld(lock: string): Promise<boolean> {
  const { tryLock } = await import('../platform/sqlite/writer-lock.ts');
  const own = await tryLock(lock);
  own?.release();
  return own === undefined;
}

/** Ends an engine that does not answer: as it would end itself where it can, else at once. */
export async function endEngineProcess(address: ResidentAddress, pid: number): Promise<void> {
  // A paused process hears the first signal when the second lets it run.
  for (const signals of [['SIGTERM', 'SIGCONT'], ['SIGKILL']] as const) {
    for (const signal of signals) send(pid, signal);
    const until = performance.now() + endsWithin;
    do {
      await setTimeout(lookEvery);
      if ((await engineProcess(address)) !== pid) return;
    } while (performance.now() < until);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile; or it is a signal that Windows does not have, where the first one ends a process at once.
  }
}
