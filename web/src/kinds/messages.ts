/** A message of a mail file, as it is read. */
export interface Message {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** What its writer says, and what is quoted, in turns. */
  readonly parts: readonly { readonly text: string; readonly isQuoted: boolean }[];
}

const header = /^([A-Z][\w-]{1,40}): (.*)$/;

/** The messages of a text: each begins with two headers or more. */
export function messagesOf(text: string): Message[] {
  const lines = text.split('\n');
  const starts = lines.flatMap((line, at) => {
    const begins = header.test(line) && header.test(lines[at + 1] ?? '') && !header.test(lines[at - 1] ?? '');
    return begins ? [at] : [];
  });
  if (starts[0] !== 0) starts.unshift(0);
  return starts
    .map((start, index) => messageIn(lines.slice(start, starts[index + 1])))
    .filter(({ headers, parts }) => headers.length > 0 || parts.length > 0);
}

function messageIn(lines: readonly string[]): Message {
  const end = lines.findIndex((line) => !header.test(line));
  const headers = lines.slice(0, end === -1 ? undefined : end).flatMap((line) => {
    const [, name = '', value = ''] = header.exec(line) ?? [];
    return [[name, value] as const];
  });
  const parts: { text: string; isQuoted: boolean }[] = [];
  for (const line of end === -1 ? [] : lines.slice(end)) {
    const isQuoted = /^\s*>/.test(line);
    const last = parts.at(-1);
    if (last?.isQuoted === isQuoted) last.text += `\n${line}`;
    else parts.push({ text: line, isQuoted });
  }
  return {
    headers,
    parts: parts
      .map((part) => ({ ...part, text: part.text.replace(/^\n+/, '').trimEnd() }))
      .filter((part) => part.text !== ''),
  };
}
