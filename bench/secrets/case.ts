/** One labelled text: every secret in it stands between « and », which are taken out before scanning. */
export interface SecretCase {
  /** The rule that should find the secrets; `none` when the text holds none. */
  readonly rule: string;
  readonly marked: string;
}

/** A labelled text without its marks, and where its secrets lie. */
export interface LabelledText {
  readonly text: string;
  readonly secrets: readonly { readonly start: number; readonly end: number }[];
}

/** A prefix joined from parts, so that the source text never spells it next to a token. */
export function prefixed(...parts: string[]): string {
  return parts.join('');
}

/** Takes the marks out of a case and remembers where they stood. */
export function readCase({ marked }: SecretCase): LabelledText {
  const secrets: { start: number; end: number }[] = [];
  let text = '';
  let start = 0;
  for (const part of marked.split(/([«»])/)) {
    if (part === '«') start = text.length;
    else if (part === '»') secrets.push({ start, end: text.length });
    else text += part;
  }
  return { text, secrets };
}
