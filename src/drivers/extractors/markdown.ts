import type { Extractor } from '../../contracts/extractor.ts';
import type { Metadata, MetadataValue } from '../../core/document.ts';
import { bounded, defaultBounds, degradation } from './bounds.ts';
import { decodeText, guessedEncoding } from './decode-text.ts';

/** Markdown with its front matter as metadata; the text stays as it was written, so that lines and spans hold. */
export function createMarkdownExtractor(bounds = defaultBounds): Extractor {
  return bounded('Markdown', bounds, async ({ bytes }) => {
    const decoded = await decodeText(bytes);
    if (!decoded) return { kind: 'skip', reason: 'binary', rule: 'binary content' };
    const { text } = decoded;
    const metadata = frontMatter(text);
    const title = typeof metadata.title === 'string' ? metadata.title : firstHeading(text);
    return {
      kind: 'text',
      text,
      chunker: 'markdown',
      metadata,
      ...(title && { title }),
      ...degradation(guessedEncoding(decoded)),
    };
  });
}

export default createMarkdownExtractor;

/** Longest front matter and longest list in it that are read. */
const maxFrontMatterLength = 20_000;
const maxListLength = 100;

/** Strings, numbers, booleans and plain lists of the front matter; nested values are left to the text. */
function frontMatter(text: string): Metadata {
  const match = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(
    text.slice(0, maxFrontMatterLength),
  );
  const metadata: Record<string, MetadataValue> = {};
  let list: string[] = [];
  for (const line of match?.[1]?.split(/\r?\n/) ?? []) {
    const item = /^\s*-\s+(.+)$/.exec(line)?.[1];
    const [, key, value = ''] = /^([A-Za-z][\w-]{0,63}):(?:\s+(.*))?$/.exec(line) ?? [];
    if (item && list.length < maxListLength) list.push(unquoted(item));
    if (!key) continue;
    list = [];
    metadata[key] = value.trim() === '' ? list : scalarOf(value.trim());
  }
  return Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  );
}

function scalarOf(written: string): MetadataValue {
  const inside = /^\[(.*)\]$/.exec(written)?.[1];
  if (inside !== undefined) {
    return inside
      .split(',', maxListLength)
      .map(unquoted)
      .filter((item) => item !== '');
  }
  if (/^-?\d{1,15}(\.\d{1,15})?$/.test(written)) return Number(written);
  if (/^(true|false)$/.test(written)) return written === 'true';
  return unquoted(written);
}

function unquoted(written: string): string {
  return written
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .slice(0, 500);
}

/** The first heading of level 1; a line that starts with # inside a fence is a comment of some program. */
function firstHeading(text: string): string | undefined {
  let fence = '';
  for (const [line] of text.matchAll(/^.*$/gm)) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1] ?? '';
    if (fence === '' && mark !== '') fence = mark;
    else if (fence !== '' && mark.startsWith(fence)) fence = '';
    const title = fence === '' && /^ {0,3}#[ \t]+(.*)$/.exec(line)?.[1];
    if (title)
      return (
        title
          .replace(/[ \t]+#+[ \t]*$/, '')
          .replace(/[`*]/g, '')
          .trim() || undefined
      );
  }
  return undefined;
}
