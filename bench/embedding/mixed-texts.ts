import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Texts of mixed length, like the chunks of code and documents: from a line to a whole window. */
export function mixedTexts(count: number): string[] {
  const modules = new URL('../../node_modules/', import.meta.url).pathname;
  const sources: string[] = [];
  for (const path of (readdirSync(modules, { recursive: true }) as string[]).sort()) {
    if (!/\.(md|d\.ts|js)$/.test(path) || sources.length >= 400) continue;
    const file = join(modules, path);
    const { size } = statSync(file);
    if (size > 4_000 && size < 60_000) sources.push(readFileSync(file, 'utf8'));
  }
  // A fixed sequence of lengths with a long tail, all within one window of the model, so that every engine sees all of it.
  const random = seeded(7);
  return Array.from({ length: count }, (_, index) => {
    const source = sources[(index * 37) % sources.length] ?? '';
    const length = Math.round(40 + 280 * random() ** 1.6);
    const start = Math.floor(random() * Math.max(1, source.length - length));
    return source.slice(start, start + length);
  });
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
