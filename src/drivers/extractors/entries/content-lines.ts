/** One line of an iCalendar or vCard file: `NAME;PARAMETER=VALUE:VALUE`. */
export interface ContentLine {
  /** In upper case, without its group. */
  readonly name: string;
  /** By name in upper case; several values are joined by a comma. */
  readonly parameters: ReadonlyMap<string, string>;
  /** As written: escapes stand for themselves. */
  readonly value: string;
}

/** Longer values are pictures, keys or sounds. */
const maxValueLength = 100_000;

/** The content lines of a text, unfolded; what is none is left out. */
export function* contentLines(text: string): Generator<ContentLine> {
  let pending = '';
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (/^[ \t]/.test(line)) {
      if (pending.length < maxValueLength) pending += line.slice(1);
    } else if (isContinued(pending)) pending = pending.slice(0, -1) + line;
    else {
      const parsed = parse(pending);
      if (parsed) yield parsed;
      pending = line;
    }
  }
  const last = parse(pending);
  if (last) yield last;
}

/** Whether a quoted-printable line continues in the next one; the beginning says of what kind it is. */
function isContinued(pending: string): boolean {
  return (
    pending.length < maxValueLength && pending.endsWith('=') && isQuotedPrintable(pending.slice(0, 1000))
  );
}

/** The words of a value, whose commas, semicolons and line ends are escaped. */
export function unescaped(value: string): string {
  return value.replace(/\\([nN,;:\\"])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign)).trim();
}

/** The parts of a value between semicolons that are not escaped. */
export function partsOf(value: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: found, index } of value.matchAll(/\\.|;/gs))
    if (found === ';') {
      parts.push(value.slice(from, index));
      from = index + 1;
    }
  return [...parts, value.slice(from)].map(unescaped);
}

/** Values that are binary, and those that need it to be understood, are no text. */
export function isBinary({ parameters, value }: ContentLine): boolean {
  return (
    /^(?:b|base64)$/i.test(parameters.get('ENCODING') ?? '') ||
    parameters.has('BASE64') ||
    parameters.get('VALUE')?.toUpperCase() === 'BINARY' ||
    /^data:/i.test(value)
  );
}

function parse(line: string): ContentLine | undefined {
  const [, path = '', rest = ''] = /^((?:[\w-]+\.)?[\w-]{1,60})([;:].*)$/s.exec(line) ?? [];
  if (path === '' || line.length > 2 * maxValueLength) return undefined;
  const [, written = '', value = ''] = /^((?:;(?:[^":;]|"[^"]*")*)*):(.*)$/s.exec(rest) ?? [];
  const parameters = new Map<string, string>();
  for (const [, name = '', said = ''] of written.matchAll(/;([\w-]+)(?:=((?:[^";]|"[^"]*")*))?/g)) {
    const key = name.toUpperCase();
    const known = parameters.get(key);
    parameters.set(key, `${known === undefined ? '' : `${known},`}${said.replaceAll('"', '')}`);
  }
  const name = path.slice(path.indexOf('.') + 1).toUpperCase();
  const isQuoted = isQuotedPrintable(`${path}${written}:`);
  return { name, parameters, value: isQuoted ? fromQuotedPrintable(value, parameters) : value };
}

/** vCard 2.1 writes what is not ASCII as mail does. */
function isQuotedPrintable(line: string): boolean {
  return /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(line);
}

function fromQuotedPrintable(value: string, parameters: ReadonlyMap<string, string>): string {
  const bytes: number[] = [];
  for (const [part, code] of value.matchAll(/=([\dA-Fa-f]{2})|./gs)) {
    if (code !== undefined) bytes.push(Number.parseInt(code, 16));
    else bytes.push(...Buffer.from(part));
  }
  const charset = parameters.get('CHARSET') ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(Uint8Array.from(bytes));
  } catch {
    // A character set that nobody knows.
    return new TextDecoder().decode(Uint8Array.from(bytes));
  }
}
