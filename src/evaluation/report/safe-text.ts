/** Characters that steer a terminal or turn the direction of what stands around them. */
const steering = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text from elsewhere on one line, without characters that steer what shows it; a long one is cut. */
export function oneLine(text: string, longest = 200): string {
  const plain = text.replace(/\s+/g, ' ').replace(steering, '\ufffd').trim();
  const letters = [...plain];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : plain;
}

/** Text that is nothing but text inside HTML and SVG, in attributes too. */
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

/** Text that is nothing but text inside Markdown: no links, pictures, tables or tags. */
export function escapeMarkdown(text: string): string {
  const marks = text.replace(/[\\`*_{}[\]#|!~@$^]/g, '\\$&').replace(/:(?=\/\/)|(?<=www)\./gi, '\\$&');
  // Not every reader knows that a backslash keeps a tag from being one.
  return escapeMarkup(marks);
}
