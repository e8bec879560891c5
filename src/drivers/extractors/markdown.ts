import type { Extractor } from '../../contracts/extractor.ts';
import type { Metadata } from '../../core/document.ts';
import { decodeText } from './text.ts';

/** Markdown with its front matter as metadata; the text stays as it was written, so that lines and spans hold. */
export function createMarkdownExtractor(): Extractor {
  return {
    async extract({ bytes }) {
      const decoded = decodeText(bytes);
      if (!decoded) return { kind: 'skip', reason: 'binary', rule: 'binary content' };
      const { text } = decoded;
      if (text.trim() === '') return { kind: 'skip', reason: 'empty', rule: 'nothing but white space' };
      const metadata = frontMatter(text);
      const title = typeof metadata.title === 'string' ? metadata.title : firstHeading(text);
      return { kind: 'text', text, chunker: 'markdown', metadata, ...(title && { title }) };
    },
  };
}

export default createMarkdownExtractor;

/** Plain `key: value` lines of the front matter; nested values are left to the text. */
function frontMatter(text: string): Metadata {
  const match = /^\ufeff?---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)\s*(?:\r?\n|$)/.exec(text);
  const metadata: Record<string, string> = {};
  for (const line of match?.[1]?.split(/\r?\n/) ?? []) {
    const pair = /^([A-Za-z][\w-]{0,63}):\s+(.+?)\s*$/.exec(line);
    if (pair?.[1] && pair[2]) metadata[pair[1]] = pair[2].replace(/^(["'])(.*)\1$/, '$2').slice(0, 500);
  }
  return metadata;
}

function firstHeading(text: string): string | undefined {
  // A line that starts with # inside a fence is a comment of some program.
  const withoutFences = text.replace(/^ {0,3}(```+|~~~+)[\s\S]*?^ {0,3}\1/gm, '');
  const match = /^ {0,3}#[ \t]+(.+?)[ \t]*#*[ \t]*\r?$/m.exec(withoutFences);
  return match?.[1]?.replace(/[`*]/g, '').trim() || undefined;
}
