import { ForksPoolWorker, type PoolOptions, type WorkerRequest } from 'vitest/node';

/** How a process of tests has ended in the midst of a file, by the path of the file. */
export const endings = new Map<string, string>();

/** A process of tests of which it is noted how it ended where it was not asked to: Vitest itself says only that it did. */
class NotedProcess extends ForksPoolWorker {
  override readonly name = notedProcesses.name;
  private running: readonly string[] = [];

  override async start(): Promise<void> {
    await super.start();
    // Both come with this event, though the pool's type knows of one argument.
    const note = (code: number | null, signal?: NodeJS.Signals | null): void => {
      for (const file of this.running) endings.set(file, signal ? `signal ${signal}` : `exit code ${code}`);
    };
    super.on('exit', note);
  }

  override send(message: WorkerRequest): void {
    if (message.type === 'run') this.running = message.context.files.map(({ filepath }) => filepath);
    super.send(message);
  }
}

export const notedProcesses = {
  name: 'noted-processes',
  createPoolWorker: (options: PoolOptions) => new NotedProcess(options),
};
