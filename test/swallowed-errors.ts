/** An error that nobody looks at: a handler that takes none, of a promise, of a block, or of an event. */
const dropping = /\.catch\(\(\) =>|\bcatch \{|'error', \(\) => (undefined|\{\})/;
const lastHandler = /^\s*\(\) => (undefined|false|null|\{\}|\[\]),?$/;

/**
 * The lines, counted from 1, at which an error is dropped and no comment says why. The reason stands on the line itself,
 * above the statement, or first in the block that catches; one reason holds for statements right below each other. A block
 * that throws an error of its own drops none.
 */
export function unexplainedSwallows(text: string): number[] {
  const lines = text.split('\n');
  return lines.flatMap((_, at) =>
    isDropped(lines, at) && !isExplained(lines, at) && !throwsAnother(lines, at) ? [at + 1] : [],
  );
}

function isDropped(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (isComment(line)) return false;
  return dropping.test(line) || (lastHandler.test(line) && /^\s*\)/.test(lines[at + 1] ?? ''));
}

const isComment = (line = '') => /^\s*(\/\/|\/\*|\*)/.test(line);

function isExplained(lines: readonly string[], at: number): boolean {
  if (/\s\/\/ /.test(lines[at] ?? '')) return true;
  // The first line of a block that catches is no other statement.
  const isBlock = /\{$/.test(lines[at] ?? '');
  if (isComment(lines[at - 1]) || (isBlock && isComment(lines[at + 1]))) return true;
  const start = statementStart(lines, at);
  if (isComment(lines[start - 1])) return true;
  return start > 0 && isDropped(lines, start - 1) && isExplained(lines, start - 1);
}

/** The first line of the statement that this line belongs to; that of a block that catches is its `try`. */
function statementStart(lines: readonly string[], at: number): number {
  if (/^\s*\} catch/.test(lines[at] ?? ''))
    return lines.findLastIndex(
      (line, index) => index < at && line === `${' '.repeat(indentOf(lines[at]))}try {`,
    );
  let start = at;
  while (start > 0 && !/^$|[;{}]$/.test(lines[start - 1] ?? '') && !isComment(lines[start - 1])) start -= 1;
  return start;
}

function throwsAnother(lines: readonly string[], at: number): boolean {
  const end = lines.findIndex((line, index) => index > at && indentOf(line) <= indentOf(lines[at]));
  return lines.slice(at + 1, end).some((line) => /\bthrow\b/.test(line));
}

const indentOf = (line = '') => line.search(/\S|$/);

/**
 * The lines at which a promise of Node.js itself is left alone, to which nobody listens when it fails. The linter, which sees
 * all others, does not look into the types of Node.js.
 */
export function unawaitedCalls(text: string): number[] {
  const imports = text.matchAll(/import \{([^}]*)\} from 'node:\w+\/promises'/g);
  const names = [...imports].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim().split(' ').at(-1)),
  );
  const called = names.filter(Boolean).join('|');
  if (called === '') return [];
  const call = new RegExp(`^\\s*(?:if \\(.*\\) |else )?(?:${called})\\(`);
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const begins = /^$|[;{})]$|else$/.test(lines[at - 1] ?? '') || isComment(lines[at - 1]);
    const end = lines.findIndex((other, index) => index >= at && other.endsWith(';'));
    const isHandled = /\.catch\(/.test(lines.slice(at, end + 1).join('\n'));
    return begins && call.test(line) && !isHandled ? [at + 1] : [];
  });
}
