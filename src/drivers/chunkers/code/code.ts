import type { Node } from 'web-tree-sitter';
import type { Chunker, Chunking, ChunkLimits } from '../../../contracts/chunker.ts';
import type { Document } from '../../../core/document.ts';
import { chunkLines } from '../lines.ts';
import { createTokenMeter } from '../token-meter.ts';
import type { LanguageRules } from './grammar-rules.ts';
import { parse } from './grammars.ts';
import { languageOf, rulesOf } from './languages.ts';
import { packLeaves } from './pack.ts';
import { splitTree } from './split.ts';

export { languageOf } from './languages.ts';

/** Bounds beyond which a file is cut by lines. */
export interface CodeChunkerOptions {
  /** UTF-16 units; larger files are mostly generated. */
  readonly largestFile?: number;
  /** Time one parse may take. */
  readonly parseMilliseconds?: number;
}

/** Share of a file under syntax errors above which its tree tells nothing. */
const mostErrors = 0.5;

/** Cuts code by its syntax tree: definitions whole, long ones by member or statement; by lines where there is no tree, and says so. */
export function createCodeChunker(options: CodeChunkerOptions = {}): Chunker {
  const largestFile = options.largestFile ?? 1_000_000;
  const parseMilliseconds = options.parseMilliseconds ?? 5_000;
  return {
    async chunk(document, limits) {
      if (document.text.trim() === '') return { drafts: [] };
      const language = languageOf(document.uri);
      const rules = language === undefined ? undefined : rulesOf(language);
      if (language === undefined || rules === undefined) {
        return byLines(document, limits, 'No grammar is known for a file of this name.');
      }
      if (document.text.length > largestFile) {
        return byLines(document, limits, `The file has more than ${largestFile} characters.`);
      }
      const parsing = await parse(document.text, language, parseMilliseconds);
      if ('failure' in parsing) return byLines(document, limits, parsing.failure);
      try {
        return byTree(document, parsing.tree.rootNode, rules, limits);
      } finally {
        parsing.tree.delete();
      }
    },
  };
}

export default createCodeChunker;

function byTree(document: Document, root: Node, rules: LanguageRules, limits: ChunkLimits): Chunking {
  const { text } = document;
  if (errorShare(root, rules) > mostErrors) {
    return byLines(document, limits, 'Most of the file has syntax errors.');
  }
  const source = { text, rules, limits, meter: createTokenMeter(text, limits) };
  return { drafts: packLeaves(splitTree(root, source), text, limits) };
}

function byLines(document: Document, limits: ChunkLimits, reason: string): Chunking {
  return { drafts: chunkLines(document.text, limits), degraded: `${reason} It was cut by lines.` };
}

/** How much of the file lies in error nodes; where the whole file is one, what is not a known definition counts. */
function errorShare(root: Node, rules: LanguageRules): number {
  const length = root.endIndex - root.startIndex;
  if (!root.hasError || length === 0) return 0;
  const known = (node: Node) =>
    Object.hasOwn(rules.definitions, node.type) ||
    rules.wrappers.includes(node.type) ||
    rules.comments.includes(node.type) ||
    (rules.calls !== undefined && node.type === 'call');
  const bad = root.isError
    ? root.children.filter((node) => !known(node))
    : root.children.filter((node) => node.isError);
  const lost = bad.reduce((sum, node) => sum + node.endIndex - node.startIndex, 0);
  return lost / length;
}
