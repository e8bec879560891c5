import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { defineDriver } from '../../../contracts/driver.ts';
import type { OutsideSearcher } from '../../../contracts/searcher.ts';
import { messageOf, QuarryError } from '../../../core/errors.ts';
import { beginningOf } from '../../../core/text/shortened.ts';
import { once } from '../../../platform/once.ts';
import { argumentsFor, chooseTool } from './arguments.ts';
import { readAnswer } from './read-answer.ts';
import { splitCommand } from './split-command.ts';

const options = z.strictObject({
  /** A command, or the address of a server. */
  server: z.string().min(1),
  tool: z.string().min(1).optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  result: z
    .strictObject({ list: z.string().optional(), path: z.string().optional(), text: z.string().optional() })
    .optional(),
});

/** Milliseconds until a server is up, and until it has answered. */
const patience = { start: 20_000, answer: 8_000 } as const;

/** Asks a tool of another MCP server. It is started, or connected to, by the first search and then kept. */
export default defineDriver<OutsideSearcher, typeof options>({
  name: 'mcp',
  summary:
    'A tool of another MCP server answers searches too: its answers stand beside the hits of the index.',
  options,
  requires: [],
  async open({ server, tool: wanted, arguments: template, result: mapping }, context) {
    const isAddress = /^https?:\/\//i.test(server);
    let name = isAddress ? new URL(server).host : (splitCommand(server)[0] ?? server);
    const requireConsent = async (): Promise<void> => {
      if (isAddress) await context.requireConsent(new URL(server));
    };
    const connection = once(
      async () => {
        await requireConsent();
        const client = await connect(server, isAddress);
        // A command is named as the server calls itself.
        if (!isAddress) name = client.getServerVersion()?.name ?? name;
        try {
          const { tools } = await client.listTools(undefined, { timeout: patience.start });
          const tool = chooseTool(tools, wanted);
          if (!tool)
            throw noTool(
              name,
              wanted,
              tools.map((each) => each.name),
            );
          return { client, tool };
        } catch (thrown) {
          // What failed before says more than that it cannot be closed either.
          await client.close().catch(() => undefined);
          throw thrown;
        }
      },
      ({ client }) => {
        keepAliveFor(client, true);
        return client.close();
      },
    );
    return {
      get name() {
        return name;
      },
      async search(query, { limit, signal }) {
        try {
          const { client, tool } = await connection();
          // Consent that is withdrawn holds at once, and who answers there may have changed.
          await requireConsent();
          const input = argumentsFor(tool, template, query, limit);
          if (!input) throw noField(name, tool.name);
          const answer = await client.callTool(
            { name: tool.name, arguments: input },
            { timeout: patience.answer, ...(signal && { signal }) },
          );
          if (answer.isError) throw refused(name, readAnswer(answer)[0]?.text ?? 'it gave no reason');
          return readAnswer(answer, mapping).slice(0, limit);
        } catch (thrown) {
          if (thrown instanceof QuarryError) throw thrown;
          // A server that has ended is restarted by the next search.
          await connection.close().catch(() => undefined);
          throw unreachable(name, thrown);
        }
      },
      close: () => connection.close(),
    };
  },
});

async function connect(server: string, isAddress: boolean) {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'quarry', version: '1' });
  const transport = isAddress
    ? new StreamableHTTPClientTransport(new URL(server))
    : await childProcess(server);
  await client.connect(transport, { timeout: patience.start });
  keepAliveFor(client, false);
  return client;
}

/**
 * Whether the process of a server keeps ours alive. While it is asked, the bound on its time does; while it is being ended,
 * it does itself; and where nothing is asked of it, it must not.
 */
function keepAliveFor({ transport }: Client, isNeeded: boolean): void {
  // The package has no other way to its process.
  const { _process: child } = (transport ?? {}) as { readonly _process?: ChildProcess };
  for (const handle of [child, child?.stdin as Socket | undefined, child?.stdout as Socket | undefined])
    isNeeded ? handle?.ref() : handle?.unref();
}

/** It gets none of our variables but those that every program needs: keys stay here. */
async function childProcess(server: string) {
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const [command = server, ...args] = splitCommand(server);
  return new StdioClientTransport({ command, args, stderr: 'ignore' });
}

function noTool(server: string, named: string | undefined, tools: readonly string[]): QuarryError {
  return new QuarryError(
    'config-invalid',
    named === undefined
      ? `It is not clear which tool of the MCP server ${server} answers searches.`
      : `The MCP server ${server} has no tool "${named}".`,
    `Set store.mcp.tool to one of: ${tools.slice(0, 20).join(', ')}.`,
  );
}

function noField(server: string, tool: string): QuarryError {
  return new QuarryError(
    'config-invalid',
    `The tool "${tool}" of the MCP server ${server} has no field that takes a question.`,
    'Set store.mcp.arguments, for example { query = "{query}", limit = "{limit}" }.',
  );
}

function refused(server: string, reason: string): QuarryError {
  return new QuarryError(
    'provider-refused',
    `The MCP server ${server} refused the question: ${beginningOf(reason, 200)}.`,
    'Check store.mcp.tool and store.mcp.arguments.',
  );
}

function unreachable(server: string, cause: unknown): QuarryError {
  return new QuarryError(
    'provider-unreachable',
    `The MCP server ${server} does not answer: ${beginningOf(messageOf(cause), 200)}.`,
    'Check store.mcp.server; the answer comes from the index alone.',
    { cause },
  );
}
