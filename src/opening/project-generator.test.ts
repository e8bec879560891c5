import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChatServer, startChatServer } from '../../test/servers/chat/chat-server.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Generator } from '../contracts/generator.ts';
import { canBeOtherUser, startForOtherUser } from '../platform/other-user.fixture.ts';
import { settingsSchema } from '../settings/settings.ts';
import { giveConsent, withdrawConsent } from '../user/consent.ts';
import { createDriverContext } from './driver-context.ts';
import { createGenerator } from './project-generator.ts';

const bounds = { maxTokens: 16, temperature: 0, signal: undefined };
const privateText = [{ role: 'user', content: 'a private text' }] as const;

async function written(generator: Generator | undefined): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of generator?.generate(privateText, bounds) ?? []) pieces.push(piece);
  return pieces;
}

// Only root can start a process for another user.
describe.runIf(canBeOtherUser)('a server of another user that is found on this machine', () => {
  let foreign: Awaited<ReturnType<typeof startForOtherUser>>;
  let own: ChatServer | undefined;
  let home: string;
  beforeEach(async () => {
    foreign = await startForOtherUser();
    home = await temporaryFolder();
  });
  afterEach(async () => {
    await foreign.close();
    await own?.close();
    own = undefined;
  });

  const generatorAt = (...ports: [name: string, port: number][]) =>
    createGenerator(
      settingsSchema.parse({}),
      async () =>
        createDriverContext({
          folder: '/projects/a',
          stateFolder: home,
          resources: { memoryBytes: 2 ** 30, threads: 2 },
          environment: (name) => ({ HOME: home, XDG_CONFIG_HOME: home })[name],
          addressLayer: 'flag',
          consent: [],
        }),
      ports,
    );

  test('is asked for nothing but its models, and named with what allows it', async () => {
    const generator = generatorAt(['Ollama', foreign.port]);
    const origin = `http://127.0.0.1:${foreign.port}`;
    await expect(generator.open()).rejects.toMatchObject({
      code: 'consent-missing',
      message: expect.stringContaining(`found at ${origin} (the default address of Ollama) and not asked`),
      remedy: `Run: quarry consent give ${origin}`,
    });
    expect(foreign.received()).toEqual([{ path: '/v1/models', body: '' }]);
  });

  test('is passed over for one of the user', async () => {
    own = await startChatServer({ protocol: 'openai', write: () => ['Yes.'], models: ['own'] });
    const generator = generatorAt(['Ollama', foreign.port], ['llama.cpp', own.port]);
    const opened = await generator.open();
    expect(await written(opened)).toEqual(['Yes.']);
    expect(opened?.model).toBe('own');
    expect(foreign.received()).toEqual([{ path: '/v1/models', body: '' }]);
    await generator.close();
  });

  test('gets text after one consent, and none after it was withdrawn', async () => {
    const address = new URL(`http://127.0.0.1:${foreign.port}`);
    await giveConsent(join(home, 'quarry'), '/projects/a', address);
    const generator = generatorAt(['Ollama', foreign.port]);
    const opened = await generator.open();
    await written(opened).catch(() => undefined);
    await expect.poll(() => foreign.received().at(-1)?.body).toContain('a private text');
    const before = foreign.received().length;
    await withdrawConsent(join(home, 'quarry'), '/projects/a');
    await expect(written(opened)).rejects.toMatchObject({
      code: 'consent-missing',
    });
    expect(foreign.received()).toHaveLength(before);
    await generator.close();
  });
});
