import { z } from 'zod';
import { connect } from '../../platform/http/connection.ts';

/** A server of models on this machine. */
export interface LocalServer {
  /** What usually listens at its port. */
  readonly name: string;
  /** Its address as the driver `openai` takes it. */
  readonly url: string;
  /** A model of it that writes text. */
  readonly model: string;
}

/** Where servers of models listen unless they are told otherwise, the commonest first. */
export const defaultPorts: readonly (readonly [name: string, port: number])[] = [
  ['Ollama', 11434],
  ['LM Studio', 1234],
  ['llama.cpp', 8080],
  ['vLLM', 8000],
  ['Jan', 1337],
];

/** A server that is there answers within milliseconds. */
const patienceSeconds = 0.5;

const listing = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });

/** Models of other kinds, which such servers list too. */
const writesNoText = /embed|bge-|minilm|\be5-|gte-|rerank|whisper|tts|clip/i;

/**
 * The servers of models on this machine, the commonest first. Only their lists of models are asked for: whose they are, and so
 * whether they may get any text, is not known yet.
 */
export async function findLocalServers(
  ports: typeof defaultPorts = defaultPorts,
  signal?: AbortSignal,
): Promise<LocalServer[]> {
  const found = await Promise.all(ports.map(([name, port]) => serverAt(name, port, signal)));
  return found.filter((server) => server !== undefined);
}

async function serverAt(
  name: string,
  port: number,
  signal: AbortSignal | undefined,
): Promise<LocalServer | undefined> {
  const url = `http://127.0.0.1:${port}/v1`;
  const connection = connect(new URL(url), patienceSeconds, 'generator');
  try {
    const { status, body } = await connection.send({
      method: 'GET',
      path: '/models',
      headers: { accept: 'application/json' },
      maxBytes: 1024 * 1024,
      signal,
    });
    if (status !== 200) return undefined;
    const { data } = listing.parse(JSON.parse(body.toString('utf8')));
    const model = data.map(({ id }) => id).find((id) => !writesNoText.test(id));
    return model === undefined ? undefined : { name, url, model };
  } catch {
    // Nothing listens there, or something else does.
    return undefined;
  } finally {
    connection.close();
  }
}
