// What HTTP alone can carry: bodies made beforehand, answers read and thrown away.
// Usage: node bench/gpu/transport.ts URL [text|tokens|tokens16] [mixed|short|long] [tokens a call] [calls at once] [seconds]
import { Agent, request } from 'node:http';
import { type LengthMix, textsOf } from './texts.ts';
import { binaryBody, groupsOf, tokenIds } from './wire.ts';

const [
  ,
  ,
  url = 'http://127.0.0.1:8080',
  form = 'tokens',
  mix = 'mixed',
  size = '65536',
  calls = '8',
  time = '4',
] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: Number(calls) });
const texts = textsOf(20_000, mix as LengthMix).map((text) => ({ text, length: tokenIds(text).length }));

interface Call {
  readonly body: Buffer;
  readonly texts: number;
  readonly tokens: number;
}

const bodies: Call[] = groupsOf(texts, Number(size), (text) => text.length).map((group) => ({
  body:
    form === 'text'
      ? Buffer.from(
          JSON.stringify({
            model: 'reference',
            input: group.map(({ text }) => text),
            encoding_format: 'base64',
          }),
        )
      : binaryBody(group.map(({ text }) => tokenIds(text))),
  texts: group.length,
  tokens: group.reduce((sum, text) => sum + text.length, 0),
}));

function send({ body }: Call): Promise<number> {
  const headers: Record<string, string | number> = {
    'content-type': form === 'text' ? 'application/json' : 'application/octet-stream',
    'content-length': body.length,
    'x-embedding-model': 'reference',
  };
  if (form === 'tokens16') headers['x-embedding-dtype'] = 'float16';
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const call = request(`${url}/v1/embeddings`, { method: 'POST', agent, headers }, (answer) => {
    let bytes = 0;
    answer.on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
    answer.on('end', () =>
      answer.statusCode === 200 ? resolve(bytes) : reject(new Error(`${answer.statusCode}`)),
    );
  });
  call.on('error', reject);
  call.end(body);
  return promise;
}

let next = 0;
let sentTexts = 0;
let sentTokens = 0;
let bytes = 0;
async function lane(until: number): Promise<void> {
  while (performance.now() < until) {
    const call = bodies[next % bodies.length] as Call;
    next += 1;
    // Not `bytes += await …`: that would add to the sum as it was before the wait.
    const received = await send(call);
    bytes += received;
    sentTexts += call.texts;
    sentTokens += call.tokens;
  }
}

async function lanes(seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1000;
  await Promise.all(Array.from({ length: Number(calls) }, () => lane(until)));
}

await lanes(1);
sentTexts = sentTokens = bytes = 0;
const began = performance.now();
const cpu = process.cpuUsage();
await lanes(Number(time));
const seconds = (performance.now() - began) / 1000;
const used = process.cpuUsage(cpu);
agent.destroy();
console.log(
  JSON.stringify({
    measured: 'transport',
    form,
    mix,
    batchTokens: Number(size),
    calls: Number(calls),
    textsPerSecond: Math.round(sentTexts / seconds),
    tokensPerSecond: Math.round(sentTokens / seconds),
    megabytesPerSecond: Math.round(bytes / seconds / 1e6),
    cpuSecondsPerThousandTexts: Number((((used.user + used.system) / 1e6 / sentTexts) * 1000).toFixed(4)),
  }),
);
