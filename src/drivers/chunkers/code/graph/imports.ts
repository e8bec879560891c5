import type { CodeImport } from '../../../../core/code-graph.ts';

/** An import with the place of its name in the text. */
export interface PlacedImport extends CodeImport {
  readonly at: number;
}

type Reader = (statement: string) => Iterable<PlacedImport>;

/** Reads the import statement that begins at `start`. */
export function importsOf(language: string, statement: string, start: number): PlacedImport[] {
  const read = Object.hasOwn(readers, language) ? readers[language] : undefined;
  if (read === undefined) return [];
  return [...read(statement)].map((found) => ({ ...found, at: found.at + start }));
}

/** Imports that are no statements of their own, and what a file gives another name: `require`, `import()`, `export default`. */
export function* looseImports(language: string, text: string): Generator<PlacedImport> {
  if (language === 'lua') {
    for (const { index, 1: local = '', 2: from = '' } of text.matchAll(luaRequire))
      yield { from, name: '*', local, at: index };
  }
  if (!/^(?:java|type)script$|^tsx$/.test(language)) return;
  if (/\b(?:require|import)\(/.test(text)) {
    for (const { index, 1: names = '', 2: from = '' } of text.matchAll(required)) {
      if (!names.startsWith('{')) yield { from, name: '*', local: names, at: index };
      else yield* listed(names.replaceAll(':', ' as '), from, index + 6);
    }
  }
  for (const { index, 1: name = '' } of text.matchAll(exportedDefault))
    yield { from: '', name, local: 'default', at: index };
}

const luaRequire = /local\s+(\w+)\s*=\s*require\s*\(?\s*["']([^"'\n]+)["']/g;
const required =
  /(?:const|let|var)\s+([\w$]+|\{[^{}]{0,2000}\})\s*=\s*(?:await\s+)?(?:require|import)\(\s*['"]([^'"\n]+)['"]\s*\)(?!\.)/g;
const exportedDefault = /^(?:export default|module\.exports\s*=)\s+([\w$]+)\s*;?\s*$/gm;

/** Names between commas: `a, b as c`. */
function* listed(names: string, from: string, at: number): Generator<PlacedImport> {
  for (const { index, 1: name = '', 2: local } of names.matchAll(
    /(?:\btype\s+)?([\p{L}_$][\p{L}\p{N}_$]*)(?:\s+as\s+([\p{L}_$][\p{L}\p{N}_$]*))?/gu,
  ))
    yield {
      from,
      name,
      local: local ?? name,
      at: at + index + (names.slice(index).startsWith('type ') ? 5 : 0),
    };
}

function* ofScript(statement: string): Generator<PlacedImport> {
  const source = /(?:\bfrom\s*|^import\s*)(['"])([^'"\n]*)\1/.exec(statement);
  if (!source) return;
  const from = source[2] ?? '';
  const clause = statement.slice(0, source.index);
  const open = clause.indexOf('{');
  if (open >= 0) yield* listed(clause.slice(open, clause.lastIndexOf('}')), from, open);
  const whole = /\*\s*(?:as\s+([\w$]+))?/.exec(clause);
  if (whole) yield { from, name: '*', local: whole[1] ?? '*', at: whole.index };
  const main = /^import\s+(?:type\s+)?([\w$]+)\s*(?:,|$)/.exec(clause);
  if (main?.[1]) yield { from, name: 'default', local: main[1], at: clause.indexOf(main[1], 6) };
}

function* ofPython(statement: string): Generator<PlacedImport> {
  const of = /^from\s+(\.*[\w.]*)\s+import\s+/.exec(statement);
  const plain = statement.replace(/#[^\n]*/g, (comment) => ' '.repeat(comment.length));
  if (of) {
    const from = of[1] ?? '';
    const names = plain.slice(of[0].length);
    if (names.trim() === '*') yield { from, name: '*', local: '*', at: of[0].length };
    else yield* listed(names, from, of[0].length);
    return;
  }
  for (const { index, 1: from = '', 2: local } of plain.matchAll(
    /(?:^import\s+|,\s*)([\w.]+)(?:\s+as\s+(\w+))?/g,
  ))
    yield { from, name: '*', local: local ?? from, at: plain.indexOf(from, index) };
}

function* ofGo(statement: string): Generator<PlacedImport> {
  for (const { index, 1: alias, 2: from = '' } of statement.matchAll(/(?:(\w+|\.)\s+)?"([^"\n]+)"/g)) {
    const parts = from.split('/').filter((part) => !/^v\d+$/.test(part));
    const named = alias === 'import' ? undefined : alias;
    const local = named === '.' ? '*' : (named ?? (parts.at(-1) ?? from).replace(/^go-|[.-]go$/g, ''));
    yield { from, name: '*', local, at: index };
  }
}

function* ofDotted(statement: string): Generator<PlacedImport> {
  const found = /^import\s+(?:static\s+)?([\w.]+?)\.?(?:([*_])|\{([^}]*)\})?(?:\s+as\s+(\w+))?\s*;?\s*$/.exec(
    statement,
  );
  if (!found) return;
  const [, path = '', whole, names, alias] = found;
  if (whole) yield { from: path, name: '*', local: '*', at: 0 };
  else if (names !== undefined)
    yield* listed(names.replaceAll('=>', ' as '), path, statement.indexOf('{') + 1);
  else {
    const dot = path.lastIndexOf('.');
    const name = path.slice(dot + 1);
    yield {
      from: path.slice(0, Math.max(0, dot)),
      name,
      local: alias ?? name,
      at: statement.lastIndexOf(name),
    };
  }
}

function* ofSharp(statement: string): Generator<PlacedImport> {
  const [, alias, path = ''] =
    /^(?:global\s+)?using\s+(?:static\s+)?(?:(\w+)\s*=\s*)?([\w.]+)/.exec(statement) ?? [];
  if (alias === undefined) yield { from: path, name: '*', local: '*', at: 0 };
  else
    yield {
      from: path.slice(0, path.lastIndexOf('.')),
      name: path.slice(path.lastIndexOf('.') + 1),
      local: alias,
      at: 0,
    };
}

function* ofPhp(statement: string): Generator<PlacedImport> {
  const [, prefix = '', names = ''] =
    /^use\s+(?:function\s+|const\s+)?(?:([\w\\]+)\\\{)?([^}]*)/.exec(statement) ?? [];
  for (const { index, 1: path = '', 2: local } of names.matchAll(/([\w\\]+)(?:\s+as\s+(\w+))?/g)) {
    const whole = prefix ? `${prefix}\\${path}` : path;
    const cut = whole.lastIndexOf('\\');
    const name = whole.slice(cut + 1);
    yield {
      from: whole.slice(0, Math.max(0, cut)),
      name,
      local: local ?? name,
      at: statement.indexOf(names) + index,
    };
  }
}

function* ofRust(statement: string): Generator<PlacedImport> {
  const path = statement.replace(/^.*?\buse\s+/s, '').replace(/;\s*$/, '');
  yield* usedIn(path, '', statement.length - path.length - 1, 0);
}

/** A tree of paths: `a::{b, c::{self, d as e}}`. */
function* usedIn(tree: string, prefix: string, at: number, depth: number): Generator<PlacedImport> {
  if (depth > 8) return;
  let level = 0;
  let from = 0;
  const parts: [string, number][] = [];
  for (let place = 0; place <= tree.length; place += 1) {
    const sign = tree[place];
    if (sign === '{') level += 1;
    if (sign === '}') level -= 1;
    if ((sign === ',' && level === 0) || place === tree.length) {
      parts.push([tree.slice(from, place), from]);
      from = place + 1;
    }
  }
  for (const [part, offset] of parts) {
    const inner = /^\s*([\w:]*?)(?:::)?\{(.*)\}\s*$/s.exec(part);
    if (inner) {
      const [, own = '', rest = ''] = inner;
      const below = [prefix, own].filter(Boolean).join('::');
      yield* usedIn(rest, below, at + offset + part.indexOf(rest), depth + 1);
      continue;
    }
    const [, path = '', local] = /^\s*([\w:*]+)(?:\s+as\s+(\w+))?\s*$/.exec(part) ?? [];
    if (path === '') continue;
    const steps = [...prefix.split('::'), ...path.split('::')].filter(Boolean);
    const last = steps.pop() ?? '';
    const name = last === 'self' ? (steps.pop() ?? '') : last;
    yield { from: steps.join('::'), name, local: local ?? name, at: at + offset + part.indexOf(path) };
  }
}

function* ofInclude(statement: string): Generator<PlacedImport> {
  const from = /["<]([^">\n]+)[">]/.exec(statement)?.[1];
  if (from) yield { from, name: '*', local: '*', at: statement.indexOf(from) };
}

function* ofElixir(statement: string): Generator<PlacedImport> {
  const [, word = '', path = '', names, local] =
    /^(\w+)\s+([\w.]*\w)\.?(?:\{([^}]*)\})?(?:,\s*as:\s*(\w+))?/.exec(statement) ?? [];
  if (names !== undefined) return yield* listed(names, path, statement.indexOf('{') + 1);
  const dot = path.lastIndexOf('.');
  const name = path.slice(dot + 1);
  if (word !== 'alias') yield { from: path, name: '*', local: '*', at: word.length + 1 };
  else yield { from: path.slice(0, Math.max(0, dot)), name, local: local ?? name, at: word.length + 1 };
}

const readers: Readonly<Record<string, Reader>> = {
  typescript: ofScript,
  tsx: ofScript,
  javascript: ofScript,
  python: ofPython,
  go: ofGo,
  java: ofDotted,
  kotlin: ofDotted,
  scala: ofDotted,
  csharp: ofSharp,
  php: ofPhp,
  rust: ofRust,
  c: ofInclude,
  cpp: ofInclude,
  elixir: ofElixir,
};
