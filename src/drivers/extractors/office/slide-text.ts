import type { Extraction } from '../../../contracts/extractor.ts';
import type { Place } from '../../../core/place.ts';
import { beginningOf } from '../../../core/text/shortened.ts';
import { degradation } from '../bounds.ts';
import { joinParts, type TextPart } from '../join-parts.ts';

/** Slides of a file that are read; a hostile one may list any number. */
export const maxSlides = 5000;

/** A slide as it was read. */
export interface Slide {
  readonly title: string;
  readonly isHidden: boolean;
  /** Its paragraphs and tables as Markdown. */
  readonly lines: readonly string[];
  /** What the speaker notes. */
  readonly notes: readonly string[];
}

/** Slides as text: a form feed between them, the title of each as a heading, the notes after the slide. */
export function slideText(
  slides: readonly Slide[],
  title: string,
  isWhole: boolean,
): Extract<Extraction, { kind: 'text' }> {
  const parts = slides.flatMap((slide, index) => slideParts(slide, index + 1));
  const { text, marks } = joinParts(parts, '');
  const hidden = slides.filter(({ isHidden }) => isHidden).length;
  const named = title || slides.map((slide) => slide.title).find(Boolean);
  return {
    kind: 'text',
    text,
    chunker: 'slides',
    type: 'slides',
    places: { kind: 'slides', marks },
    metadata: { slides: slides.length, ...(hidden > 0 && { hidden }) },
    ...(named && { title: beginningOf(named, 300) }),
    ...degradation(!isWhole && `not read to the end: too much text after slide ${slides.length}`),
  };
}

function slideParts(
  { title, isHidden, lines, notes }: Slide,
  slide: number,
): TextPart<Extract<Place, { kind: 'slides' }>['first']>[] {
  const heading = [title, isHidden ? '(hidden)' : ''].filter(Boolean).join(' ');
  const body = [...(heading === '' ? [] : [`# ${heading}`]), ...lines].map((line) =>
    line.replaceAll('\f', ' '),
  );
  const said = notes.map((line) => line.replaceAll('\f', ' ')).join('\n');
  return [
    { text: `${slide > 1 ? '\f' : ''}${body.join('\n\n')}\n`, at: { slide } },
    ...(said === '' ? [] : [{ text: `\nNotes: ${said}\n`, at: { slide, notes: true as const } }]),
  ];
}
