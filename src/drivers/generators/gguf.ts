import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { defineDriver } from '../../contracts/driver.ts';
import type { Generator, Message } from '../../contracts/generator.ts';
import { interrupted, messageOf, QuarryError } from '../../core/errors.ts';
import { importOptional } from '../../platform/import-optional.ts';
import { createQueue } from '../../platform/queue.ts';

const packageName = 'node-llama-cpp';

/** What is used of the package, which need not be installed. */
interface LlamaPackage {
  getLlama(options: object): Promise<Llama>;
  LlamaChatSession: new (options: object) => LlamaSession;
}
interface Llama {
  loadModel(options: object): Promise<LlamaModel>;
  dispose(): Promise<void>;
}
interface LlamaModel {
  createContext(options: object): Promise<LlamaContext>;
}
interface LlamaContext {
  getSequence(): LlamaSequence;
}
interface LlamaSequence {
  clearHistory(): Promise<void>;
}
interface LlamaSession {
  setChatHistory(history: readonly object[]): void;
  prompt(text: string, options: object): Promise<string>;
  dispose(options: object): void;
}

export default defineDriver({
  name: 'gguf',
  summary: 'A model in a GGUF file, in this process, through node-llama-cpp.',
  options: z.strictObject({
    model: z.string().min(1),
    device: z.enum(['cpu', 'cuda', 'metal', 'vulkan']).default('cpu'),
    /** Tokens that it sees at once. */
    window: z.int().min(512).default(4096),
  }),
  requires: [packageName],
  async open({ model: file, device, window: contextSize }, { resources }): Promise<Generator> {
    const threads = resources?.threads ?? availableParallelism();
    const package_ = await importOptional(
      packageName,
      'The generator gguf',
      () => import(packageName) as Promise<LlamaPackage>,
    );
    // Nothing is compiled and nothing is fetched: the binary comes with the package, or there is none.
    const llama = await package_.getLlama({
      gpu: device === 'cpu' ? false : device,
      build: 'never',
      skipDownload: true,
      // The package would take four threads at least: more than there are cores wait for each other most of the time.
      maxThreads: threads,
      progressLogs: false,
      logLevel: 'error',
    });
    const { sequence } = await load(llama, file, contextSize, threads);
    let previous: Promise<unknown> = Promise.resolve();
    return {
      model: file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1),
      facts: { model: file, device, tokens: String(contextSize) },
      async *generate(messages, { maxTokens, temperature, signal }) {
        if (signal?.aborted) throw interrupted(signal.reason);
        const pieces = createQueue<string>(Number.POSITIVE_INFINITY);
        const own = new AbortController();
        const stop = AbortSignal.any([own.signal, ...(signal ? [signal] : [])]);
        // One text at a time: the model has one memory.
        const work = previous.then(async () => {
          if (stop.aborted) return;
          await sequence.clearHistory();
          const session = new package_.LlamaChatSession({ contextSequence: sequence });
          try {
            const { history, last } = historyOf(messages);
            session.setChatHistory(history);
            await session.prompt(last, {
              maxTokens,
              temperature,
              signal: stop,
              stopOnAbortSignal: true,
              onTextChunk: (text: string) => text !== '' && pieces.push(text),
            });
          } finally {
            session.dispose({ disposeSequence: false });
          }
        });
        const ended = work.finally(() => pieces.end());
        // The caller hears of it below; the next answer only waits for the end of this one.
        previous = ended.catch(() => undefined);
        try {
          yield* pieces;
          if (signal?.aborted) throw interrupted(signal.reason);
          await ended.catch((cause: unknown) => {
            throw new QuarryError(
              'model-failed',
              `${file} could not write an answer: ${messageOf(cause)}`,
              'Set context.max_tokens to the tokens that are wanted of sources, then ask again.',
              { cause },
            );
          });
        } finally {
          own.abort();
        }
      },
      async close() {
        await previous;
        await llama.dispose();
      },
    };
  },
});

async function load(llama: Llama, file: string, contextSize: number, threads: number) {
  try {
    const model = await llama.loadModel({ modelPath: file });
    const context = await model.createContext({ contextSize, threads });
    return { sequence: context.getSequence() };
  } catch (cause) {
    await llama.dispose();
    throw new QuarryError(
      'model-not-found',
      `${file} cannot be loaded as a model: ${messageOf(cause)}`,
      'Set generator.model to the path of a GGUF file; where memory is short, lower context.max_tokens.',
      { cause },
    );
  }
}

/** The conversation as the package takes it, and the turn to answer. */
function historyOf(messages: readonly Message[]): { history: object[]; last: string } {
  const history = messages.slice(0, -1).map(({ role, content }) => {
    if (role === 'assistant') return { type: 'model', response: [content] };
    return { type: role, text: content };
  });
  return { history, last: messages.at(-1)?.content ?? '' };
}
