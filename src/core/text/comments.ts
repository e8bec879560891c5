/** What begins and ends a comment of several lines. */
const begins = /^(?:\/\*+!?|<!--|"""|''')[ \t]*/;
const ends = /(?<![ \t])[ \t]*(?:(?<!\*)\*+\/|-->|"""|''')$/;
/** What a line of such a comment may begin with. */
const star = /^\*+(?!\/)[ \t]*/;
/** A comment of one line. */
const mark = /^(?:\/\/+!?|#+(?=[ \t])|--(?=[ \t])|;+(?=[ \t])|%+(?=[ \t]))[ \t]*/;

/** What people wrote in comments that have lines of their own, without the marks, and the other lines of the code. */
export function readCode(text: string): { readonly comments: string; readonly lines: readonly string[] } {
  const comments: string[] = [];
  const lines: string[] = [];
  let isInside = false;
  for (const line of text.split('\n').map((each) => each.trim())) {
    const opening = isInside ? undefined : begins.exec(line)?.[0];
    if (opening !== undefined || isInside) {
      const content: string = isInside ? line.replace(star, '') : line.slice(opening?.length);
      isInside = !ends.test(content);
      comments.push(content.replace(ends, '').trim());
    } else if (mark.test(line)) comments.push(line.replace(mark, ''));
    else {
      lines.push(line);
      comments.push('');
    }
  }
  // What a tag says belongs to tools.
  return { comments: comments.map((line) => (line.startsWith('@') ? '' : line)).join('\n'), lines };
}
