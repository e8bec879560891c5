import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { zstdDecompressSync } from 'node:zlib';
import type { Language, Parser, Tree } from 'web-tree-sitter';
import { messageOf } from '../../../core/errors.ts';
import { importOptional } from '../../../platform/import-optional.ts';
import { type Once, once } from '../../../platform/once.ts';
import { builtFile } from '../../../platform/package-folder.ts';
import { grammarFile, rulesOf } from './languages.ts';

/** The library that parses, as it is when it is loaded. */
export type Runtime = typeof import('web-tree-sitter');

/** A tree to read and then to free with `tree.delete()`, or why there is none. */
export type Parsing = { readonly tree: Tree; readonly runtime: Runtime } | { readonly failure: string };

interface Grammar {
  readonly runtime: Runtime;
  readonly language: Language;
}

const { resolve } = createRequire(import.meta.url);
const grammars = new Map<string, Once<Grammar>>();
const parsers = new Map<string, Parser>();

/**
 * Parses a text, loading the grammar on first use. A problem of the text is a failure; a grammar that cannot be loaded is
 * an error, so that the file is read again when the grammar is installed.
 */
export async function parse(text: string, language: string, milliseconds: number): Promise<Parsing> {
  const grammar = grammars.get(language) ?? once(() => loadGrammar(language));
  grammars.set(language, grammar);
  const opened = await grammar();
  const parser = parserOf(language, opened);
  const deadline = performance.now() + milliseconds;
  try {
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
    if (tree !== null) return { tree, runtime: opened.runtime };
    parser.reset();
    return { failure: `Parsing took longer than ${milliseconds} ms.` };
  } catch (thrown) {
    // A parser that failed inside the compiled code is in an unknown state: the next file gets a new one.
    parsers.delete(language);
    return { failure: `The ${language} parser failed: ${messageOf(thrown)}.` };
  }
}

async function loadGrammar(language: string): Promise<Grammar> {
  const wasm = rulesOf(language)?.wasm ?? '';
  const user = `Cutting ${language} code`;
  const loaded = await runtime(user);
  // A build carries the grammars that are used, and not their packages.
  const built = builtFile(grammarFile(wasm));
  const owner = built === undefined ? wasm.split('/').slice(0, 2).join('/') : 'quarry';
  return importOptional(owner, user, async () => ({
    runtime: loaded,
    language: await loaded.Language.load(built === undefined ? resolve(wasm) : await unpack(built)),
  }));
}

async function unpack(path: string): Promise<Uint8Array> {
  return zstdDecompressSync(await readFile(path));
}

const loadRuntime = once(async (): Promise<Runtime> => {
  const loaded = await import('web-tree-sitter');
  await loaded.Parser.init();
  return loaded;
});

function runtime(user: string): Promise<Runtime> {
  return importOptional('web-tree-sitter', user, loadRuntime);
}

function parserOf(language: string, grammar: Grammar): Parser {
  const known = parsers.get(language);
  if (known !== undefined) return known;
  const parser = new grammar.runtime.Parser();
  parser.setLanguage(grammar.language);
  parsers.set(language, parser);
  return parser;
}
