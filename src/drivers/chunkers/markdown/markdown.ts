import type { ChunkDraft, Chunker, ChunkLimits } from '../../../contracts/chunker.ts';
import { cutAnywhere, linesOf, mergeStubs, type Piece, pack, pieceOf, prosePieces } from '../cutting.ts';
import { type Block, markdownBlocks } from '../markdown-blocks.ts';

/** Fences and tables up to this many tokens stay whole even above the maximum; the embedder windows them. */
const maxWholeBlockSize = 800;

/** The text under one heading, the heading included. */
interface Section {
  readonly path: readonly string[];
  readonly pieces: readonly Piece[];
  readonly tokens: number;
}

/** By headings: each section whole where it fits, small ones merged, large ones cut between paragraphs. */
export function createMarkdownChunker(): Chunker {
  return {
    async chunk(document, limits) {
      // A file name is not a title: if it were embedded, a renamed file would need new vectors.
      const title = document.uri.endsWith(document.title) ? '' : document.title;
      const sections = mergeStubs(sectionsOf(document.text, limits), limits, joined);
      return { drafts: sections.flatMap((section) => draftsOf(section, title, limits)) };
    },
  };
}

export default createMarkdownChunker;

function sectionsOf(text: string, limits: ChunkLimits): Section[] {
  const sections: { path: string[]; pieces: Piece[] }[] = [{ path: [], pieces: [] }];
  let open: { level: number; title: string }[] = [];
  let before: Block | undefined;
  for (const block of markdownBlocks(text)) {
    if (block.kind === 'heading') {
      open = [...open.filter((heading) => heading.level < block.level), block];
      // A heading with nothing under it but the next one belongs to the section that it introduces.
      const lead = before?.kind === 'heading' && before.level < block.level ? sections.pop()?.pieces : [];
      sections.push({ path: open.map((heading) => heading.title).filter(Boolean), pieces: lead ?? [] });
    }
    sections.at(-1)?.pieces.push(...piecesOf(text, block, limits));
    before = block;
  }
  return sections
    .filter((section) => section.pieces.length > 0)
    .map((section) => ({ ...section, tokens: section.pieces.reduce((sum, piece) => sum + piece.tokens, 0) }));
}

function piecesOf(text: string, block: Block, limits: ChunkLimits): Piece[] {
  const whole = pieceOf(text, block.start, block.end, limits);
  if (!whole || whole.tokens <= limits.maxTokens) return whole ? [whole] : [];
  if (block.kind === 'text') return prosePieces(text, block.start, block.end, limits);
  if (whole.tokens <= maxWholeBlockSize) return [whole];
  const lines = linesOf(text, block.start, block.end, limits);
  return pack(
    lines.flatMap((line) => (line.tokens <= limits.maxTokens ? [line] : cutAnywhere(text, line, limits))),
    limits,
  );
}

/** A heading or a short sentence stays with the fence, table or paragraph that it introduces, even where both exceed the maximum. */
function withLeads(pieces: readonly Piece[], { minTokens, maxTokens }: ChunkLimits): Piece[] {
  const led: Piece[] = [];
  for (const piece of pieces) {
    const lead = led.at(-1);
    const together = (lead?.tokens ?? 0) + piece.tokens;
    const isLead = lead !== undefined && lead.tokens < minTokens;
    if (isLead && (together > maxTokens || together < minTokens) && together <= maxWholeBlockSize + minTokens)
      led[led.length - 1] = { start: lead.start, end: piece.end, tokens: together };
    else led.push(piece);
  }
  return led;
}

/** Two sections as one, which is named after the larger. */
function joined(first: Section, second: Section): Section {
  return {
    path: second.tokens > first.tokens ? second.path : first.path,
    pieces: [...first.pieces, ...second.pieces],
    tokens: first.tokens + second.tokens,
  };
}

function draftsOf(section: Section, title: string, limits: ChunkLimits): ChunkDraft[] {
  const name = section.path.join(' > ');
  const header = section.path[0] === title || title === '' ? name : [title, ...section.path].join(' > ');
  return pack(withLeads(section.pieces, limits), limits).map(({ start, end }) => ({
    start,
    end,
    header,
    section: name,
  }));
}
