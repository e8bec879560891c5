import type { Extraction } from '../contracts/extractor.ts';
import type { Metadata, MetadataValue } from '../core/document.ts';
import type { PlaceMarks } from '../core/place.ts';
import { redactSecrets } from '../secrets/redact-secrets.ts';

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
  const { text, title, metadata, places, ...rest } = extraction;
  const safe: ExtractedText = {
    ...rest,
    text: clean(text),
    ...(title !== undefined && { title: clean(title) }),
    ...(metadata && { metadata: cleanMetadata(metadata, clean) }),
    ...(places && { places: cleanPlaces(places) }),
  };
  return { extraction: safe, redacted: [...counts].map(([rule, count]) => ({ rule, count })) };
}

/** Subjects, headings and names stand in the text too, where their secrets are counted. */
function cleanPlaces(places: PlaceMarks): PlaceMarks {
  const known = new Map<string, string>();
  const clean = (text: string): string => {
    const safe = known.get(text) ?? redactSecrets(text).text;
    known.set(text, safe);
    return safe;
  };
  if (places.kind === 'messages')
    return {
      ...places,
      marks: places.marks.map(({ start, at }) => ({ start, at: { ...at, subject: clean(at.subject) } })),
    };
  if (places.kind === 'paragraphs')
    return {
      ...places,
      marks: places.marks.map(({ start, at }) => ({ start, at: { ...at, heading: clean(at.heading) } })),
    };
  if (places.kind === 'sheets')
    return {
      ...places,
      marks: places.marks.map(({ start, at }) => ({ start, at: { ...at, sheet: clean(at.sheet) } })),
    };
  if (places.kind === 'entries')
    return {
      ...places,
      marks: places.marks.map(({ start, at }) => ({ start, at: { ...at, name: clean(at.name) } })),
    };
  return places;
}

function cleanMetadata(metadata: Metadata, clean: (text: string) => string): Metadata {
  const cleanValue = (value: MetadataValue): MetadataValue => {
    if (typeof value === 'string') return clean(value);
    return Array.isArray(value) ? value.map(clean) : value;
  };
  return Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, cleanValue(value)]));
}
