/**
 * Text of a document, as every surface shows it: without characters that control a terminal, reorder what stands around
 * them or carry text past a reader. Line ends are unified. Joiners stay where scripts and emoji need them, between
 * characters beyond ASCII.
 */
export function shownText(text: string): string {
  if (isPlain(text)) return text;
  return text
    .toWellFormed()
    .replace(terminalSequence, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(invisible, '')
    .replace(strayJoiner, '');
}

/**
 * A path, a heading or another name on one line. What `shownText` removes stands here as its number, so that two names
 * never look alike: `a\n.md`, `a\u{202e}.md`.
 */
export function shownLine(name: string): string {
  if (isPlain(name) && !/[\n\t]/.test(name)) return name;
  return name
    .toWellFormed()
    .replace(/[\n\r\t\u2028\u2029]/g, escaped)
    .replace(invisible, escaped)
    .replace(strayJoiner, (joiners) => [...joiners].map(escaped).join(''));
}

/** A value as JSON: the same data, but what `shownText` removes is escaped, so that it can stand on a terminal. */
export function shownJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return isPlain(text) ? text : text.replace(everyInvisible, units);
}

/**
 * Everything in a value as it is shown: names of fields and strings on one line each, but for the fields named as texts,
 * which keep their lines.
 */
export function shownData<Value>(value: Value, texts: readonly string[] = []): Value {
  // The same value, but for what its strings hold.
  return shownField(value, '', texts) as Value;
}

function shownField(value: unknown, field: string, texts: readonly string[]): unknown {
  if (typeof value === 'string') return texts.includes(field) ? shownText(value) : shownLine(value);
  if (Array.isArray(value)) return value.map((each) => shownField(each, field, texts));
  if (typeof value !== 'object' || value === null) return value;
  // The message of an error is not among its entries.
  const entries = Object.entries(value instanceof Error ? { ...value, message: value.message } : value);
  return Object.fromEntries(entries.map(([name, each]) => [shownLine(name), shownField(each, name, texts)]));
}

function isPlain(text: string): boolean {
  return !/[^\t\n -~]/.test(text);
}

const names: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  return names[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

function units(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** What a terminal takes as a command: colours, moves of the cursor, titles and links. */
const terminalSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /(?:\u001b\[|\u009b)[0-?]{0,100}[ -/]{0,10}[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\n]{0,2000}(?:\u0007|\u001b\\|\u009c)/g;
const invisible =
  /(?!\u200c|\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]|(?![\t\n\r])\p{Cc}/gu;
const everyInvisible = /\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb\u2028\u2029]|(?![\t\n\r])\p{Cc}/gu;
/** Not after or before a character that could need it, or more of them than any emoji has. */
const strayJoiner =
  /(?:\u200c|\u200d|\ufe0f){3,}|(?<![^\p{ASCII}])(?:\u200c|\u200d|\ufe0f)+|(?:\u200c|\u200d)+(?![^\p{ASCII}])/gu;
