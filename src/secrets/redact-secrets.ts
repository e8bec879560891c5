import { findSecrets } from './find-secrets.ts';
import { filler } from './likelihood.ts';
import type { SecretSpan } from './secret-rule.ts';

/** A text without its secrets, and how many of each kind it held. */
export interface RedactedText {
  /** As long as the original and with the same line breaks, so that positions and line numbers hold. */
  readonly text: string;
  readonly found: { readonly rule: string; readonly count: number }[];
}

const label = 'REDACTED';

/**
 * Hides every secret of a text and leaves the rest as it is; redacting twice changes nothing.
 *
 * A secret becomes `REDACTED` and then `█` for each further character, or `█` alone when it is too short for the
 * label. The block is neither a letter nor punctuation: text search sees no term in it, and tokenizers read a whole
 * line of blocks as one unknown word where stars would cost one token each.
 */
export function redactSecrets(text: string): RedactedText {
  const counts = new Map<string, number>();
  let redacted = text;
  // Hiding one secret can expose another next to it, so the text is read again until nothing changes. This ends,
  // because no round restores a character.
  for (let spans = unhidden(redacted); spans.length > 0; spans = unhidden(redacted)) {
    for (const { rule } of spans) counts.set(rule, (counts.get(rule) ?? 0) + 1);
    redacted = hide(redacted, spans);
  }
  return { text: redacted, found: [...counts].map(([rule, count]) => ({ rule, count })) };
}

function unhidden(text: string): SecretSpan[] {
  return findSecrets(text).filter(({ start, end }) => {
    const secret = text.slice(start, end);
    return cover(secret) !== secret;
  });
}

function hide(text: string, spans: readonly SecretSpan[]): string {
  const parts: string[] = [];
  let position = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(position, start), cover(text.slice(start, end)));
    position = end;
  }
  parts.push(text.slice(position));
  return parts.join('');
}

function cover(secret: string): string {
  const blocks = secret.replace(/[^\r\n\u2028\u2029]/g, filler);
  const firstLine = /^[^\r\n\u2028\u2029]*/.exec(secret)?.[0].length ?? 0;
  return firstLine > label.length ? label + blocks.slice(label.length) : blocks;
}
