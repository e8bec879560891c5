import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { zstdDecompressSync } from 'node:zlib';
import type { Language, Parser } from 'web-tree-sitter';
import { messageOf } from '../../../core/errors.ts';
import { importOptional } from '../../../platform/import-optional.ts';
import { type Once, once } from '../../../platform/once.ts';
import { builtFile } from '../../../platform/package-folder.ts';
import { grammarFile, rulesOf } from './rules-of.ts';
import { type Binding, type NodeKinds, nodeKinds, type SyntaxTree, takeTree } from './syntax-tree.ts';

/** The library that parses, as it is when it is loaded. */
interface Runtime {
  readonly library: typeof import('web-tree-sitter');
  readonly binding: Binding;
}

/** The tree of a text, or why there is none. */
export type Parsing = { readonly tree: SyntaxTree } | { readonly failure: string };

interface Grammar {
  readonly runtime: Runtime;
  readonly language: Language;
  readonly kinds: NodeKinds;
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
    if (tree !== null) return { tree: takeTree(tree, text, opened.kinds, opened.runtime.binding) };
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
  return importOptional(owner, user, async () => {
    const file = built === undefined ? resolve(wasm) : await unpack(built);
    const language = await loaded.library.Language.load(file);
    return { runtime: loaded, language, kinds: nodeKinds(language) };
  });
}

async function unpack(path: string): Promise<Uint8Array> {
  return zstdDecompressSync(await readFile(path));
}

const loadRuntime = once(async (): Promise<Runtime> => {
  const library = await import('web-tree-sitter');
  // The object that is given with the options becomes the module, and so has its functions.
  const binding = {};
  await library.Parser.init(binding);
  return { library, binding: binding as Binding };
});

function runtime(user: string): Promise<Runtime> {
  return importOptional('web-tree-sitter', user, loadRuntime);
}

function parserOf(language: string, grammar: Grammar): Parser {
  const known = parsers.get(language);
  if (known !== undefined) return known;
  const parser = new grammar.runtime.library.Parser();
  parser.setLanguage(grammar.language);
  parsers.set(language, parser);
  return parser;
}
