import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EmbeddingServer } from '../../../test/servers/embedding/embedding-server.ts';
import { startOpenAiServer } from '../../../test/servers/embedding/openai-server.ts';
import type { Driver } from '../../contracts/driver.ts';
import type { Embedder } from '../../contracts/embedder.ts';
import openai from '../../drivers/embedders/openai.ts';
import { agentOptionsFor, canUseProxy, findProxy } from './proxy.ts';
import { testContext } from './test-context.fixture.ts';

/** A proxy of this machine that leads every host to one server, and remembers what it saw. */
interface LocalProxy {
  readonly url: string;
  /** Requests that it passed on, and tunnels that it opened. */
  readonly asked: string[];
  /** Everything that went through its tunnels from the client. */
  readonly tunnelled: Buffer[];
  readonly credentials: (string | undefined)[];
  close(): void;
}

async function startProxy(server: EmbeddingServer): Promise<LocalProxy> {
  const target = new URL(server.url);
  const seen = {
    asked: [] as string[],
    tunnelled: [] as Buffer[],
    credentials: [] as (string | undefined)[],
  };
  const proxy = http.createServer((request, response) => {
    const { method = '', headers } = request;
    seen.asked.push(`${method} ${request.url}`);
    seen.credentials.push(headers['proxy-authorization']);
    const { pathname } = new URL(request.url ?? '');
    const onward = http.request({
      host: target.hostname,
      port: target.port,
      path: pathname,
      method,
      headers,
    });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  proxy.on('connect', (request, socket) => {
    seen.asked.push(`CONNECT ${request.url}`);
    const onward = connect(Number(target.port), target.hostname);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.on('data', (part: Buffer) => seen.tunnelled.push(part));
    for (const end of [socket, onward]) end.on('error', () => end.destroy());
    socket.pipe(onward).pipe(socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const close = (): void => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { ...seen, url: `http://127.0.0.1:${port}`, close };
}

let server: EmbeddingServer;
let proxy: LocalProxy;
const opened: Embedder[] = [];

beforeEach(async () => {
  server = await startOpenAiServer({ model: 'test-embedding', key: 'sk-secret' });
  proxy = await startProxy(server);
});

afterEach(async () => {
  for (const embedder of opened.splice(0)) await embedder.close();
  proxy.close();
  await server.close();
});

async function open(
  url: string,
  variables: Record<string, string>,
  driver: Driver<Embedder> = openai,
): Promise<Embedder> {
  const given = { url, model: 'test-embedding' };
  const context = testContext({ QUARRY_EMBEDDER_API_KEY: 'sk-secret', ...variables });
  const embedder = await driver.open(driver.options.parse(given), context);
  opened.push(embedder);
  return embedder;
}

const text = 'words of a passage';
const embed = (embedder: Embedder) => embedder.embed([text], { as: 'chunk' });

describe.runIf(canUseProxy())('a proxy of the environment', () => {
  test('gets calls to http addresses', async () => {
    const withPassword = proxy.url.replace('http://', 'http://me:pass@');
    const embedder = await open('http://embedding.test/v1', { HTTP_PROXY: withPassword });
    expect(embedder.facts.proxy).toBe('HTTP_PROXY');
    expect(await embed(embedder)).toHaveLength(1);
    expect(proxy.asked).toEqual(['POST http://embedding.test/v1/embeddings']);
    expect(proxy.credentials[0]).toBe(`Basic ${btoa('me:pass')}`);
    expect(server.calls).toHaveLength(1);
  });

  test('gets a tunnel for https addresses, and sees neither text nor key; the server is checked as ever', async () => {
    const embedder = await open('https://embedding.test/v1', { https_proxy: proxy.url });
    // The server behind the tunnel speaks no TLS, so that no trust comes about.
    await expect(embed(embedder)).rejects.toMatchObject({
      code: 'provider-unreachable',
      message: expect.stringContaining('No trusted connection to embedding.test'),
    });
    expect(proxy.asked).toEqual(['CONNECT embedding.test:443']);
    const seen = Buffer.concat(proxy.tunnelled).toString('latin1');
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).not.toContain('sk-secret');
    expect(seen).not.toContain(text);
    expect(server.calls).toEqual([]);
  });

  test('gets nothing of what is for a server on this machine', async () => {
    const embedder = await open(server.url, { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url });
    expect(await embed(embedder)).toHaveLength(1);
    expect(embedder.facts).not.toHaveProperty('proxy');
    expect(proxy.asked).toEqual([]);
  });

  test('gets nothing for hosts in NO_PROXY', async () => {
    const variables = { HTTP_PROXY: proxy.url, NO_PROXY: 'other.test,embedding.invalid' };
    const embedder = await open('http://embedding.invalid/v1', variables);
    await expect(embed(embedder)).rejects.toMatchObject({
      code: 'provider-unreachable',
      message: expect.not.stringContaining('proxy'),
      remedy: expect.not.stringContaining('NO_PROXY'),
    });
    expect(proxy.asked).toEqual([]);
    expect(embedder.facts).not.toHaveProperty('proxy');
  });

  test('that is not there is named in the error, without its password', async () => {
    proxy.close();
    const gone = proxy.url.replace('http://', 'http://me:pass@');
    for (const scheme of ['http', 'https']) {
      const embedder = await open(`${scheme}://embedding.test/v1`, { HTTP_PROXY: gone, HTTPS_PROXY: gone });
      const variable = `${scheme.toUpperCase()}_PROXY`;
      await expect(embed(embedder)).rejects.toMatchObject({
        code: 'provider-unreachable',
        message: `embedding.test cannot be reached by way of the proxy in ${variable} (ECONNREFUSED).`,
        remedy: `Correct ${variable}, or name embedding.test in NO_PROXY if it needs no proxy.`,
      });
    }
  });
});

describe('the variables of a proxy', () => {
  const environment = (variables: Record<string, string>) => (name: string) => variables[name];
  const secure = new URL('https://embedding.test/v1');

  test('are those of the scheme, in small letters first', () => {
    const both = environment({ HTTPS_PROXY: 'http://b:1', https_proxy: 'http://a:1', no_proxy: 'x' });
    expect(findProxy(secure, both)).toEqual({ variable: 'https_proxy', url: 'http://a:1', except: 'x' });
    expect(findProxy(secure, environment({ HTTP_PROXY: 'http://a:1' }))).toBeUndefined();
    expect(findProxy(secure, environment({ HTTPS_PROXY: '  ' }))).toBeUndefined();
  });

  test.each([
    ['*', true],
    ['other.test, EMBEDDING.test', true],
    ['.test', true],
    ['*.test', true],
    ['embedding.test:443', true],
    ['embedding.test:80', false],
    ['bedding.test', false],
    ['.embedding.test', false],
    ['.', false],
    ['', false],
  ])('are not heard for hosts in NO_PROXY: %j', (except, isExcepted) => {
    const found = findProxy(secure, environment({ HTTPS_PROXY: 'http://a:1', NO_PROXY: except }));
    expect(found === undefined).toBe(isExcepted);
  });

  test.each(['nonsense', 'socks5://me:pass@proxy:1'])(
    'with %s are an error that does not repeat it',
    (url) => {
      const find = () => findProxy(secure, environment({ HTTPS_PROXY: url }));
      expect(find).toThrow('HTTPS_PROXY is not the http or https address of a proxy.');
    },
  );

  test.each(['http://localhost:1/', 'http://127.0.0.9/', 'http://[::1]/', 'https://localhost/'])(
    'are not heard for %s',
    (url) => {
      const all = environment({ HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'http://a:1' });
      expect(findProxy(new URL(url), all)).toBeUndefined();
      expect(agentOptionsFor(undefined)).toEqual({ proxyEnv: {} });
    },
  );

  test('are used by the releases of Node.js that are documented to: 24.5 and newer, 22.21 and newer of 22', () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    expect(canUseProxy()).toBe(major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21));
  });

  test('are not used by agents that do not look at them', () => {
    class OlderAgent extends http.Agent {
      constructor({ proxyEnv: _, ...known }: http.AgentOptions = {}) {
        super(known);
      }
    }
    expect(canUseProxy(OlderAgent)).toBe(false);
  });
});
