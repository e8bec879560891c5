// A small MCP server of another kind, for tests: it says how it was started, answers searches, and can be made to fail.
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const [started = ''] = process.argv.slice(2);
appendFileSync(started, `${process.pid} ${process.env.SECRET_API_KEY ?? 'no key'}\n`);

serveStdio(() => {
  const server = new McpServer({ name: 'library', version: '1' });
  server.registerTool(
    'search_books',
    { inputSchema: z.object({ needle: z.string(), limit: z.number().optional() }) },
    async ({ needle }) => {
      if (needle.includes('crash')) process.exit(1);
      if (needle.includes('refuse'))
        return { content: [{ type: 'text', text: 'closed today' }], isError: true };
      const books = [
        { title: 'On Herons', content: `A whole book about the heron, asked for as ${needle}.`, line: 7 },
        { title: 'On Cranes', content: 'The crane is no heron.' },
      ];
      return { content: [{ type: 'text', text: JSON.stringify({ books }) }] };
    },
  );
  return server;
});
