import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Generator } from '../../contracts/generator.ts';
import { driverContext } from '../../testing/driver-context.ts';
import driver from './gguf.ts';

/** The path of a GGUF file; `node-llama-cpp` has to be installed too. Most machines have neither. */
const file = process.env.QUARRY_TEST_GGUF;

describe.skipIf(file === undefined)('a GGUF file', () => {
  let generator: Generator;
  beforeAll(async () => {
    generator = await driver.open(driver.options.parse({ model: file, window: 1024 }), driverContext({}));
  });
  afterAll(() => generator?.close());
  const messages = [
    { role: 'system', content: 'Answer briefly.' },
    { role: 'user', content: 'What is green tea?' },
  ] as const;

  test('writes, the same each time', async () => {
    const write = async () => {
      let text = '';
      for await (const piece of generator.generate(messages, { maxTokens: 12, temperature: 0 }))
        text += piece;
      return text;
    };
    const first = await write();
    expect(first.length).toBeGreaterThan(5);
    expect(await write()).toBe(first);
  });

  test('stops with its signal, and can be asked again', async () => {
    const controller = new AbortController();
    const call = (async () => {
      for await (const _ of generator.generate(messages, {
        maxTokens: 200,
        temperature: 0,
        signal: controller.signal,
      }))
        controller.abort();
    })();
    await expect(call).rejects.toMatchObject({ code: 'interrupted' });
    let pieces = 0;
    for await (const _ of generator.generate(messages, { maxTokens: 4, temperature: 0 })) pieces += 1;
    expect(pieces).toBeGreaterThan(0);
  });
});
