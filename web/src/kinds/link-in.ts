/** A link of Markdown, or of notes to each other. */
export interface Link {
  readonly name: string;
  readonly target: string;
  /** Whether what it leads to is shown in its place, as a picture is. */
  readonly isShown: boolean;
}

/** The link that a text is: `[Drydock](dock.md)`, `[[Drydock]]`, or `[[Drydock|dock]]`, whose second part is what it is called. */
export function linkIn(text: string): Link | undefined {
  const [, sign, name, target] = /^(!?)\[([^\]]*)\]\(([^)]*)\)$/.exec(text) ?? [];
  if (name !== undefined) return { name, target: target ?? '', isShown: sign === '!' };
  const [, mark, note, called] = /^(!?)\[\[([^|\]]*)(?:\|([^\]]*))?\]\]$/.exec(text) ?? [];
  return note === undefined ? undefined : { name: called || note, target: note, isShown: mark === '!' };
}
