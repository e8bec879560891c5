import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';

/** What is used of a thread: a process of its own has it too. */
export interface ThreadLike
  extends Pick<Worker, 'postMessage' | 'ref' | 'unref' | 'terminate' | 'getHeapStatistics'> {
  on(event: 'message' | 'error', listener: (value: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
}

/**
 * Starts a process that is called as a thread is. Messages to it are copied, its data is written as JSON, and what it
 * prints is dropped, whatever printed it: native code has the standard error of its process and asks nobody.
 */
export function startProcess(file: URL, data: unknown): ThreadLike {
  // An import would be one of every command, few of which come here.
  const child = process.getBuiltinModule('node:child_process').fork(file, [JSON.stringify(data ?? null)], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
  });
  const events = new EventEmitter();
  const ended = new Promise<number>((resolve) => {
    events.once('exit', resolve);
  });
  child.on('message', (message) => events.emit('message', message));
  child.on('exit', (code) => events.emit('exit', code ?? 1));
  child.on('error', (cause) => {
    events.emit('error', cause);
    // One that could not be started has no end.
    if (child.pid === undefined) events.emit('exit', 1);
  });
  return Object.assign(events, {
    // A message to a process that has just ended comes too late, and its end is reported.
    postMessage: (message: unknown) => void child.send(message as object, () => undefined),
    ref: () => keepAlive(child, 'ref'),
    unref: () => keepAlive(child, 'unref'),
    terminate() {
      if (child.pid !== undefined) child.kill('SIGKILL');
      return ended;
    },
    getHeapStatistics: () => Promise.reject(new TypeError('a process does not tell')),
  });
}

function keepAlive(child: ChildProcess, how: 'ref' | 'unref'): void {
  child[how]();
  child.channel?.[how]();
}
