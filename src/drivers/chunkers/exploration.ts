import type { Chunker } from '../../contracts/chunker.ts';
import { markdownBlocks } from './markdown-blocks.ts';
import { lineRanges, mergeSmall, proseCut, sectionDrafts, type TextSection } from './sections.ts';
import { createTokenMeter } from './token-meter.ts';

/** Notes of an exploration: at every heading and at every line that begins with `**Key`, each with its path. */
export function createExplorationChunker(): Chunker {
  return {
    async chunk({ text, title }, limits) {
      const meter = createTokenMeter(text, limits);
      const join = (first: TextSection, second: TextSection): TextSection => {
        const size = ({ start, end }: TextSection) => meter.tokens(start, end);
        const named = size(second) > size(first) ? second : first;
        return { ...named, start: first.start, end: second.end };
      };
      const sections = mergeSmall(findings(text, title), limits, meter, join);
      return { drafts: sectionDrafts(text, sections, limits, meter, proseCut(text, limits)) };
    },
  };
}

export default createExplorationChunker;

/** Sections that follow each other without a gap. */
function findings(text: string, title: string): TextSection[] {
  const starts: { start: number; path: string[] }[] = [{ start: 0, path: [] }];
  let open: { level: number; title: string }[] = [];
  for (const block of markdownBlocks(text)) {
    if (block.kind === 'heading') {
      open = [...open.filter((heading) => heading.level < block.level), block];
      starts.push({ start: block.start, path: open.map((heading) => heading.title) });
    } else if (block.kind === 'text') {
      for (const line of lineRanges(text, block)) {
        const key = keyOf(text.slice(line.start, Math.min(line.end, line.start + 300)));
        if (key !== '')
          starts.push({ start: line.start, path: [...open.map((heading) => heading.title), key] });
      }
    }
  }
  return starts.map(({ start, path }, index) => {
    const name = path.filter((part) => part !== '').join(' > ');
    const header = path[0] === title || title === '' ? name : [title, name].filter(Boolean).join(' > ');
    return { start, end: starts[index + 1]?.start ?? text.length, name, header };
  });
}

/** `Key finding` of a line like `**Key finding:** the cache is never warm`; empty for any other line. */
function keyOf(line: string): string {
  const words = /^\s{0,3}(?:[-*]\s+)?\*\*(Key\b[^*\n]*)/i.exec(line)?.[1] ?? '';
  return words.replace(/[:.\s]+$/, '').trim();
}
