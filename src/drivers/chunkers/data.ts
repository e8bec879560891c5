import { extname } from 'node:path';
import type { ChunkDraft, Chunker } from '../../contracts/chunker.ts';
import { unpackedName } from '../../core/document.ts';
import { jsonChildren, jsonDamage } from './data-json.ts';
import { type Divide, dataSections } from './data-sections.ts';
import { tableChildren } from './data-toml.ts';
import { yamlChildren } from './data-yaml.ts';
import { lineCut, lineRanges, sectionDrafts } from './sections.ts';
import { createTokenMeter } from './token-meter.ts';

/**
 * JSON, JSON lines, YAML, TOML and INI by top-level key: small keys together, large values by their children,
 * the key path as section. The text stays as written; what cannot be understood is cut between lines.
 */
export function createDataChunker(): Chunker {
  return {
    async chunk({ text, uri, title }, limits) {
      const meter = createTokenMeter(text, limits);
      const { divide, degraded } = dividerFor(uri, text);
      const sections = dataSections({ text, title, limits, meter, divide });
      const drafts = sectionDrafts(text, sections, limits, meter, lineCut(text, limits, meter));
      // Only the key paths of JSON are exact.
      const hasKeys = divide === jsonChildren && isLineShared(text, drafts);
      return {
        drafts: hasKeys ? drafts : drafts.map(({ place, ...draft }) => draft),
        ...(degraded && { degraded }),
      };
    },
  };
}

export default createDataChunker;

/** Whether two chunks stand in one line, so that a line does not say where a chunk is. */
function isLineShared(text: string, drafts: readonly ChunkDraft[]): boolean {
  return drafts.some(({ start }, index) => {
    const before = drafts[index - 1];
    return before !== undefined && !text.slice(before.end, start).includes('\n');
  });
}

const undivided: Divide = () => [];

function dividerFor(uri: string, text: string): { divide: Divide; degraded?: string } {
  switch (extname(unpackedName(uri)).toLowerCase()) {
    case '.yaml':
    case '.yml':
      return { divide: yamlChildren };
    case '.toml':
    case '.ini':
    case '.cfg':
    case '.conf':
    case '.properties':
      return { divide: tableChildren };
    case '.jsonl':
    case '.ndjson':
      return { divide: recordChildren };
    default:
      return jsonDivider(text);
  }
}

function jsonDivider(text: string): { divide: Divide; degraded?: string } {
  const damage = jsonDamage(text);
  if (damage === undefined) return { divide: jsonChildren };
  return { divide: undivided, degraded: `broken JSON (${damage}): cut by lines` };
}

/** One record a line; a record that is too large is cut by its keys. */
const recordChildren: Divide = (text, range, depth) => {
  if (depth > 0) return jsonChildren(text, range, depth);
  return Array.from(lineRanges(text, range), (line, index) => ({ ...line, name: index + 1 }));
};
