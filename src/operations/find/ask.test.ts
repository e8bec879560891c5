import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callQuarry } from '../../../test/quarry-call.ts';
import { type ChatServer, startChatServer } from '../../../test/servers/chat/chat-server.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

let folder: string;
let server: ChatServer;
let model: Record<string, string>;
const quick = {
  QUARRY_EMBEDDER_DRIVER: 'hashing',
  QUARRY_RESOURCES_THREADS: '1',
  QUARRY_GENERATOR_DRIVER: 'none',
};
const run = (words: string[], env: Record<string, string> = {}) =>
  callQuarry(folder, ['ask', ...words], { ...quick, ...env });

beforeAll(async () => {
  folder = await temporaryFolder({
    'walls.md': '# Walls\n\nWalls are painted white every spring.\n',
    'tea.md': '# Tea\n\nGreen tea is steeped for two minutes at eighty degrees.\n',
  });
  server = await startChatServer({
    protocol: 'openai',
    write: () => [
      'Green tea is steeped ',
      'for two minutes [1]. ',
      'It was invented by friendly robots [1].',
    ],
  });
  model = {
    QUARRY_GENERATOR_DRIVER: 'openai',
    QUARRY_GENERATOR_URL: server.url,
    QUARRY_GENERATOR_MODEL: 'm',
  };
});
afterAll(() => server.close());

describe('quarry ask', () => {
  test('shows the answer, then the sources that it rests on', async () => {
    const { code, stdout, stderr } = await run(['how', 'long', 'is', 'green', 'tea', 'steeped?'], model);
    expect(code).toBe(0);
    expect(stdout).toBe(
      'Green tea is steeped for two minutes [1]. It was invented by friendly robots [1]. [unsupported]\n\nSources\n[1] tea.md:1-3  Tea\n',
    );
    expect(stderr).toContain('1 of 2 sentences have no support');
  });

  test('has answer and sources as data', async () => {
    const { stdout } = await run(['how long is green tea steeped?', '--json'], model);
    expect(JSON.parse(stdout)).toMatchObject({
      answer: expect.stringContaining('two minutes [1]'),
      sources: expect.arrayContaining([
        expect.objectContaining({ number: 1, path: 'tea.md', cited: true, on_disk: 'current' }),
      ]),
      sentences: [{ verdict: 'supported' }, { verdict: 'unsupported' }],
      kind: 'generated',
      model: 'm',
    });
  });

  test('quotes where there is no model, and says so', async () => {
    const { code, stdout } = await run(['how long is green tea steeped?']);
    expect(code).toBe(0);
    expect(stdout).toContain('Quoted from the sources (no model writes an answer here):');
    expect(stdout).toContain('“Green tea is steeped for two minutes at eighty degrees.” [1]');
  });

  test('says what is not in the corpus', async () => {
    const { stdout } = await run(['who won the football match?', '--threshold', '0.9']);
    expect(stdout).toBe('Not in the corpus.\n');
  });

  test('takes a conversation', async () => {
    const history = JSON.stringify([{ role: 'user', content: 'How is green tea made?' }]);
    const { stdout } = await run(['How long is it steeped?', '--history', history, '--json']);
    expect(JSON.parse(stdout).query).toBe('How is green tea made? How long is it steeped?');
    const wrong = await run(['x', '--history', 'nonsense']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--history') });
  });
});
