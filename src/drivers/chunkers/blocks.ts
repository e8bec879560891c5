import { extname } from 'node:path';
import type { ChunkDraft, Chunker } from '../../contracts/chunker.ts';
import { beginningOf } from '../../core/text/shortened.ts';
import { chunkLines, cutLines, type TextRange } from './lines.ts';
import { lineRanges, mergeSmall } from './sections.ts';
import { createTokenMeter, trimmedEnd, trimmedStart } from './token-meter.ts';

/** How a line that begins a block names it: the groups `kind` and `name` of a pattern for one line. */
type Opening = RegExp;

/** A name, also one that psql fills in: `:"registry"`. */
const word = ':?["\'`\\[]?[\\w$]+["\'`\\]]?';

/** Languages of named blocks that no grammar here reads, by the end of a name. */
const openings: Readonly<Record<string, Opening>> = {
  sql: new RegExp(
    `^(?:create|alter)\\s+(?:or\\s+replace\\s+)?(?:(?:global|local|temp|temporary|unlogged|unique|materialized|definer)\\s+){0,3}(?<kind>table|view|function|procedure|trigger|index|type|sequence|schema|domain|extension|role|policy|database)\\s+(?:concurrently\\s+)?(?:if\\s+(?:not\\s+)?exists\\s+)?(?!if\\b)(?<name>${word}(?:\\.${word}){0,2})`,
    'i',
  ),
  proto: /^(?<kind>message|enum|service|extend|oneof)\s+(?<name>[\w.]+)/,
  graphql:
    /^(?:extend\s+)?(?<kind>type|input|enum|interface|union|scalar|directive|fragment|query|mutation|subscription)\s+@?(?<name>\w+)/,
  dockerfile: /^(?<kind>FROM)\s+(?:--\S+\s+)*(?<image>\S+)(?:\s+AS\s+(?<name>\S+))?/i,
  vue: /^<(?<kind>script|template|style)\b(?<name>)/,
  svelte: /^<(?<kind>script|style|svelte:\w+)\b(?<name>)/,
};

const sameAs: Readonly<Record<string, string>> = { gql: 'graphql', containerfile: 'dockerfile' };

/** A block, or what stands before the first one. */
interface Block extends TextRange {
  readonly kind?: string;
  readonly name: string;
  readonly signature: string;
  readonly names: readonly string[];
}

const maxSignature = 200;
const maxNames = 64;

/** Code of named blocks without a syntax tree: SQL by statement, Protobuf and GraphQL by type, a Dockerfile by stage. */
export function createBlockChunker(): Chunker {
  return {
    async chunk({ uri, text }, limits) {
      const opening = openingOf(uri);
      if (opening === undefined) return { drafts: chunkLines(text, limits) };
      const meter = createTokenMeter(text, limits);
      const blocks = mergeSmall(blocksOf(text, opening), limits, meter, joined);
      const drafts = blocks.flatMap((block) => {
        const fits = meter.tokens(block.start, block.end) <= limits.maxTokens;
        const parts = fits ? [block] : cutLines(text, limits, meter, block);
        return parts.flatMap((part) => draftOf(block, part, text));
      });
      return { drafts };
    },
  };
}

export default createBlockChunker;

function openingOf(uri: string): Opening | undefined {
  const file = (uri.split('/').at(-1) ?? '').toLowerCase();
  const end = /^(?:docker|container)file/.test(file) ? 'dockerfile' : extname(file).slice(1);
  const key = Object.hasOwn(sameAs, end) ? (sameAs[end] ?? end) : end;
  return Object.hasOwn(openings, key) ? openings[key] : undefined;
}

/** The blocks of a text in order; comments that stand right before one belong to it. */
function blocksOf(text: string, opening: Opening): Block[] {
  const blocks: Block[] = [];
  let current: Block = { start: 0, end: text.length, name: '', signature: '', names: [] };
  let comment: number | undefined;
  let isDescribing = false;
  for (const { start, end } of lineRanges(text, { start: 0, end: text.length })) {
    const line = text.slice(start, Math.min(end, start + 400));
    const found = opening.exec(line);
    if (found === null) {
      const isComment = isDescribing || /^(?:--|\/\/|\/\*|#|\s\*|""")/.test(line);
      comment = isComment ? (comment ?? start) : undefined;
      // GraphQL describes a type in three quotation marks, over several lines.
      if (line.split('"""').length === 2) isDescribing = !isDescribing;
      continue;
    }
    const at = comment ?? start;
    comment = undefined;
    if (text.slice(current.start, at).trim() !== '') blocks.push({ ...current, end: at });
    current = blockAt(found, line, at, text.length);
  }
  blocks.push(current);
  return blocks;
}

function blockAt({ groups = {} }: RegExpExecArray, line: string, start: number, end: number): Block {
  const { kind = '', name, image = '' } = groups;
  const isStage = kind.toLowerCase() === 'from';
  const plain = (name ?? image).replace(/(^|\.):/g, '$1').replace(/["'`[\]]/g, '') || kind;
  return {
    start,
    end,
    kind: isStage ? 'stage' : kind.toLowerCase(),
    name: plain,
    signature: signatureOf(line),
    names: [plain],
  };
}

/** The beginning of a line, without what opens its body. Cut first: the rest of a long line is data. */
function signatureOf(line: string): string {
  const plain = beginningOf(line, 2 * maxSignature).replace(/\s+/g, ' ');
  return beginningOf(plain.replace(/[\s({;]+$/, ''), maxSignature);
}

/** Two small blocks in one chunk have the name of the first that has one. */
function joined(first: Block, second: Block): Block {
  const main = first.kind === undefined ? second : first;
  const names = [...first.names, ...second.names].slice(0, maxNames);
  return { ...main, start: first.start, end: second.end, names };
}

function draftOf(block: Block, part: TextRange, text: string): ChunkDraft[] {
  const start = trimmedStart(text, part.start, part.end);
  const end = trimmedEnd(text, start, part.end);
  if (start >= end) return [];
  const { kind, name, signature, names } = block;
  const isWhole = part.start <= block.start;
  if (kind === undefined) return [{ start, end, header: '', section: '' }];
  return [
    {
      start,
      end,
      header: isWhole ? '' : signature,
      section: name,
      symbol: { name, kind, signature, scope: [] },
      metadata: { symbols: names },
    },
  ];
}
