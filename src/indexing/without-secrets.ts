import type { Extraction } from '../contracts/extractor.ts';
import type { Metadata, MetadataValue } from '../core/document.ts';
import { redactSecrets } from '../core/secrets/redact-secrets.ts';

type ExtractedText = Extract<Extraction, { kind: 'text' }>;

/** How many secrets of one kind were found. */
export interface RedactedSecret {
  readonly rule: string;
  readonly count: number;
}

/** The extraction with every secret blacked out, in text, title and metadata; lengths and lines stay as they are. */
export function withoutSecrets(extraction: ExtractedText): {
  readonly extraction: ExtractedText;
  readonly redacted: readonly RedactedSecret[];
} {
  const counts = new Map<string, number>();
  const clean = (text: string): string => {
    const { text: safe, found } = redactSecrets(text);
    for (const { rule, count } of found) counts.set(rule, (counts.get(rule) ?? 0) + count);
    return safe;
  };
  const { text, title, metadata, ...rest } = extraction;
  const safe: ExtractedText = {
    ...rest,
    text: clean(text),
    ...(title !== undefined && { title: clean(title) }),
    ...(metadata && { metadata: cleanMetadata(metadata, clean) }),
  };
  return { extraction: safe, redacted: [...counts].map(([rule, count]) => ({ rule, count })) };
}

function cleanMetadata(metadata: Metadata, clean: (text: string) => string): Metadata {
  const cleanValue = (value: MetadataValue): MetadataValue => {
    if (typeof value === 'string') return clean(value);
    return Array.isArray(value) ? value.map(clean) : value;
  };
  return Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, cleanValue(value)]));
}
