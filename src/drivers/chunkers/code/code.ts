import type { Chunker, Chunking, ChunkLimits } from '../../../contracts/chunker.ts';
import type { Document } from '../../../core/document.ts';
import { chunkLines } from '../lines.ts';
import { createTokenMeter } from '../token-meter.ts';
import { parse } from './grammars.ts';
import { type Grammar, readGraph } from './graph/read-graph.ts';
import { languageOf } from './languages.ts';
import { packLeaves } from './pack.ts';
import { rulesOf } from './rules-of.ts';
import { salvage } from './salvage.ts';
import { splitTree } from './split.ts';
import type { SyntaxTree } from './syntax-tree.ts';

export { languageOf } from './languages.ts';

/** Bounds beyond which a file is cut by lines. */
export interface CodeChunkerOptions {
  /** UTF-16 units; larger files are mostly generated. */
  readonly maxFileSize?: number;
  /** Time one parse may take. */
  readonly parseMilliseconds?: number;
}

/** Share of a file under syntax errors above which its tree is useless. */
const maxErrors = 0.5;

/** Cuts code by its syntax tree: definitions whole, long ones by member or statement. Without a tree it cuts by lines, and reports it. */
export function createCodeChunker(options: CodeChunkerOptions = {}): Chunker {
  const maxFileSize = options.maxFileSize ?? 1_000_000;
  const parseMilliseconds = options.parseMilliseconds ?? 5_000;
  return {
    async chunk(document, limits) {
      if (document.text.trim() === '') return { drafts: [] };
      const language = languageOf(document.uri);
      const rules = language === undefined ? undefined : rulesOf(language);
      if (language === undefined || rules === undefined) {
        return byLines(document, limits, 'No grammar is known for a file of this name.');
      }
      if (document.text.length > maxFileSize) {
        return byLines(document, limits, `The file has more than ${maxFileSize} characters.`);
      }
      const parsing = await parse(document.text, language, parseMilliseconds);
      if ('failure' in parsing) return byLines(document, limits, parsing.failure);
      return byTree(document, parsing.tree, { language, rules }, limits);
    },
  };
}

export default createCodeChunker;

function byTree(document: Document, tree: SyntaxTree, grammar: Grammar, limits: ChunkLimits): Chunking {
  const { text } = document;
  const { rules } = grammar;
  const { nodes, lost, line } = salvage(tree.root, rules);
  if (lost > maxErrors) return byLines(document, limits, 'Most of the file has syntax errors.');
  const source = { text, rules, limits, meter: createTokenMeter(text, limits) };
  const drafts = packLeaves(splitTree(nodes, source), text, limits);
  const graph = limits.withoutGraph ? {} : { graph: readGraph(tree, grammar) };
  if (line === undefined) return { drafts, ...graph };
  const what = `syntax errors, or syntax that the grammar does not know, first in line ${line}`;
  return { drafts, ...graph, degraded: `Part of the file has ${what}; it was cut around them.` };
}

function byLines(document: Document, limits: ChunkLimits, reason: string): Chunking {
  const language = languageOf(document.uri);
  const graph =
    language === undefined
      ? undefined
      : { language, definitions: [], references: [], imports: [], gap: reason };
  return {
    drafts: chunkLines(document.text, limits),
    degraded: `${reason} It was cut by lines.`,
    ...(graph && { graph }),
  };
}
