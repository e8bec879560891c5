/**
 * The values of one section without a subsection in git's configuration syntax, keys in lower case; the last value of a
 * key wins. Included files are not read.
 */
export function readGitSection(text: string, section: string): Map<string, string> {
  const values = new Map<string, string>();
  let inside = false;
  for (const line of joinContinuedLines(text)) {
    const header = /^\s*\[([^\]"]*)("(?:\\.|[^"\\])*")?\s*\]/.exec(line);
    if (header) inside = header[2] === undefined && header[1]?.trim().toLowerCase() === section;
    const rest = header ? line.slice(header[0].length) : line;
    const pair = /^\s*([a-zA-Z][a-zA-Z0-9-]*)\s*(?:=(.*))?$/s.exec(rest);
    if (inside && pair?.[1])
      values.set(pair[1].toLowerCase(), pair[2] === undefined ? 'true' : unquote(pair[2]));
  }
  return values;
}

/** Whether a value of git's configuration means yes. */
export function isGitTrue(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|yes|on|[1-9]\d*)$/i.test(value);
}

function joinContinuedLines(text: string): string[] {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n/g, '\n')
    .replace(/\\\n/g, '')
    .split('\n');
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

/** Takes off quotes and comments; white space counts inside quotes and between words only. */
function unquote(written: string): string {
  let value = '';
  let quoted = false;
  let lastKept = 0;
  for (let index = 0; index < written.length; index++) {
    const character = written[index] ?? '';
    if (character === '"') {
      quoted = !quoted;
      lastKept = value.length;
      continue;
    }
    if (!quoted && (character === '#' || character === ';')) break;
    if (!quoted && value === '' && /\s/.test(character)) continue;
    if (character === '\\') {
      const escaped = written[++index] ?? '';
      value += escapes[escaped] ?? escaped;
    } else value += character;
    if (quoted || !/\s/.test(character)) lastKept = value.length;
  }
  return value.slice(0, lastKept);
}
