/** Characters that control a terminal or change the direction of the text around them. */
const steering = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Foreign text on one line, without control characters; a long one is cut. */
export function oneLine(text: string, longest = 200): string {
  const plain = text.replace(/\s+/g, ' ').replace(steering, '\ufffd').trim();
  const letters = [...plain];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : plain;
}

/** Text escaped for HTML and SVG, also inside attributes. */
export function escapeMarkup(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Text escaped for Markdown: no links, pictures, tables or tags. */
export function escapeMarkdown(text: string): string {
  const marks = text.replace(/[\\`*_{}[\]#|!~@$^]/g, '\\$&').replace(/:(?=\/\/)|(?<=www)\./gi, '\\$&');
  // Not every Markdown reader understands a backslash before a tag.
  return escapeMarkup(marks);
}
