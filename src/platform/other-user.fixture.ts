import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The number of the user that owns nothing, on most systems. */
const nobody = 65534;

/** Whether this process may start others for another user. */
export const canBeOtherUser = process.getuid?.() === 0 && process.platform === 'linux';

/** A server of models that belongs to another user of this machine, and keeps what it is sent. */
export async function startForOtherUser(host = '127.0.0.1') {
  const program = `
    const server = require('node:http').createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      process.stdout.write(JSON.stringify({ path: request.url, body }) + '\\n');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: [{ id: 'llama3.2:3b' }] }));
    });
    server.listen(0, ${JSON.stringify(host)}, () => process.stdout.write(server.address().port + '\\n'));
  `;
  const child = spawn(process.execPath, ['-e', program], {
    uid: nobody,
    gid: nobody,
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (part) => {
    text += part;
  });
  while (!text.includes('\n')) await once(child.stdout, 'data');
  return {
    port: Number(text.split('\n')[0]),
    /** What it was sent, in order. */
    received: (): { path: string; body: string }[] =>
      text
        .split('\n')
        .slice(1, -1)
        .map((line) => JSON.parse(line)),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}
