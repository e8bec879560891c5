import type { Extractor } from '../../contracts/extractor.ts';

/** A commit as its source writes it: what is said of it on lines of their own, then its message, files and changes. */
export function createCommitExtractor(): Extractor {
  return {
    async extract({ bytes }) {
      const text = new TextDecoder().decode(bytes);
      const end = text.indexOf('\n\n');
      const head = end < 0 ? text : text.slice(0, end);
      const field = (name: string): string | undefined =>
        head
          .split('\n')
          .find((line) => line.startsWith(name))
          ?.slice(name.length);
      const [subject = ''] = end < 0 ? [] : text.slice(end + 2).split('\n', 1);
      const missing = field('Missing: ');
      return {
        kind: 'text',
        text,
        type: 'commit',
        title: subject === '' || subject === 'Files:' ? 'commit without a message' : subject,
        metadata: { commit: field('commit ') ?? '', author: field('Author: ') ?? '' },
        ...(missing !== undefined && { degraded: missing }),
      };
    },
  };
}

export default createCommitExtractor;
