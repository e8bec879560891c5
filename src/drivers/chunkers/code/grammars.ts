import { createRequire } from 'node:module';
import type { Language, Parser, Tree } from 'web-tree-sitter';
import { messageOf } from '../../../core/errors.ts';
import { rulesOf } from './languages.ts';

type Runtime = typeof import('web-tree-sitter');

/** A tree to read and then to free with `tree.delete()`, or why there is none. */
export type Parsing = { readonly tree: Tree } | { readonly failure: string };

interface Grammar {
  readonly runtime: Runtime;
  readonly language: Language;
}

const { resolve } = createRequire(import.meta.url);
const grammars = new Map<string, Promise<Grammar | string>>();
const parsers = new Map<string, Parser>();
let runtime: Promise<Runtime> | undefined;

/** Parses a text, loading the grammar on first use; a missing package or a parse past its time is a failure, not an error. */
export async function parse(text: string, language: string, milliseconds: number): Promise<Parsing> {
  const grammar = await grammarOf(language);
  if (typeof grammar === 'string') return { failure: grammar };
  const parser = parserOf(language, grammar);
  const deadline = performance.now() + milliseconds;
  try {
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
    if (tree !== null) return { tree };
    parser.reset();
    return { failure: `Parsing took longer than ${milliseconds} ms.` };
  } catch (thrown) {
    // A parser that failed inside the compiled code is in an unknown state: the next file gets a new one.
    parsers.delete(language);
    return { failure: `The ${language} parser failed: ${messageOf(thrown)}.` };
  }
}

function grammarOf(language: string): Promise<Grammar | string> {
  const known = grammars.get(language);
  if (known !== undefined) return known;
  const loading = loadGrammar(language).catch((thrown: unknown) => missing(language, thrown));
  grammars.set(language, loading);
  return loading;
}

async function loadGrammar(language: string): Promise<Grammar> {
  const wasm = rulesOf(language)?.wasm ?? '';
  const path = resolve(wasm);
  runtime ??= loadRuntime();
  const loaded = await runtime;
  return { runtime: loaded, language: await loaded.Language.load(path) };
}

async function loadRuntime(): Promise<Runtime> {
  const loaded = await import('web-tree-sitter');
  await loaded.Parser.init();
  return loaded;
}

function missing(language: string, thrown: unknown): string {
  const [reason] = messageOf(thrown).split('\n');
  return `The ${language} grammar cannot be loaded: ${reason || 'not compatible with the parser'}.`;
}

function parserOf(language: string, grammar: Grammar): Parser {
  const known = parsers.get(language);
  if (known !== undefined) return known;
  const parser = new grammar.runtime.Parser();
  parser.setLanguage(grammar.language);
  parsers.set(language, parser);
  return parser;
}
