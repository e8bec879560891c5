import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readCase, type SecretCase } from './case.ts';
import { unseenPositives } from './unseen.ts';

const maxFileLines = 500_000;

/** The text files of the installed packages; into every tenth, a line with a token of an unseen form is put. */
export function packageFiles(): { readonly cases: SecretCase[]; readonly characters: number } {
  const folder = fileURLToPath(new URL('../../node_modules/', import.meta.url));
  const paths = globSync('**/*.{js,mjs,cjs,ts,mts,cts,md,json,txt,css,html,yml,yaml}', {
    cwd: folder,
  }).sort();
  const texts = paths
    .filter((path) => !/\.(?:min\.js|map)$/.test(path))
    .map((path) => readText(folder + path))
    .filter((text) => text.length <= maxFileLines && !/[«»]/.test(text));
  const tokens = unseenPositives.filter((labelled) => readCase(labelled).secrets.length > 0);
  const cases = texts.map((text, index): SecretCase => {
    const planted = index % 10 === 0 ? tokens[(index / 10) % tokens.length] : undefined;
    return planted
      ? { rule: planted.rule, marked: plant(text, planted.marked) }
      : { rule: 'none', marked: text };
  });
  return { cases, characters: texts.reduce((sum, text) => sum + text.length, 0) };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // A folder can be named like a file.
    return '';
  }
}

/** Puts a line after the middle line of a text. */
function plant(text: string, line: string): string {
  const lines = text.split('\n');
  return lines.toSpliced(Math.floor(lines.length / 2), 0, line).join('\n');
}
