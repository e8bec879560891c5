import type { Client } from '@modelcontextprotocol/client';
import { type StartPlace, startClient } from './start-client.ts';

/** What one call put into a model's context. */
export interface Shown {
  /** Everything that came back. */
  readonly text: string;
  /** Of which files a passage is in it. A path or a line alone is none. */
  readonly files: readonly string[];
}

/** One way to look for a file in a folder: call after call, as long as somebody wants more. */
export interface Way {
  readonly name: string;
  /** What a model has to read before its first call: the descriptions of a server's tools. */
  readonly introduction: string;
  look(question: string): AsyncIterable<Shown>;
  close(): Promise<void>;
}

/** The fewest lines that count as a passage, where the file has as many. */
export const minLines = 3;

/** A server of the protocol in a process of its own, and its answers as text. */
export interface StartedServer {
  readonly client: Client;
  readonly introduction: string;
  call(name: string, input: object): Promise<{ readonly text: string; readonly data: unknown }>;
}

/** Starts a server and lists its tools. */
export async function startServer(
  command: string,
  args: readonly string[],
  place: StartPlace,
): Promise<StartedServer> {
  const { client } = await startClient(command, args, place);
  const { tools } = await client.listTools();
  return {
    client,
    introduction: tools
      .map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }))
      .join('\n'),
    async call(name, input) {
      const result = await client.callTool({ name, arguments: { ...input } }, { timeout: 600_000 });
      const content = result.content as { text?: string; resource?: { text?: string } }[];
      return {
        text: content.map(({ text, resource }) => text ?? resource?.text ?? '').join('\n'),
        data: result.structuredContent,
      };
    },
  };
}
