import type { Extraction } from '../../../contracts/extractor.ts';
import { beginningOf } from '../../../core/text/shortened.ts';
import { degradation } from '../bounds.ts';
import { joinParts } from '../join-parts.ts';

/** An event or a contact as text. */
export interface Entry {
  readonly name: string;
  /** The day that it begins on. */
  readonly date?: string | undefined;
  /** What is said of it, below its name. */
  readonly lines: readonly string[];
}

/** Entries as text with a form feed between them, each below its name. */
export function entryText(
  entries: readonly Entry[],
  type: 'event' | 'contact',
  title: string,
  note?: string,
): Extract<Extraction, { kind: 'text' }> {
  const parts = entries.map(({ name, date, lines }, index) => {
    const text = [name, ...lines].filter((line) => line.trim() !== '').join('\n');
    return {
      text: text.replaceAll('\f', ' '),
      at: { entry: index + 1, name: beginningOf(name, 300), ...(date !== undefined && { date }) },
    };
  });
  const filled = parts.filter((part) => part.text !== '');
  const { text, marks } = joinParts(filled, '\n\f\n');
  return {
    kind: 'text',
    text,
    chunker: 'entries',
    type,
    places: { kind: 'entries', marks },
    metadata: { entries: entries.length },
    ...(title && { title: beginningOf(title, 300) }),
    ...degradation(note),
  };
}
