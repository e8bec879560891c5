import { chainAt } from './chains.ts';

/** Where languages write the type of a name: after a colon, after a space, or before the name. */
const flavours: Readonly<Record<string, 'colon' | 'space' | 'before'>> = {
  typescript: 'colon',
  tsx: 'colon',
  python: 'colon',
  rust: 'colon',
  kotlin: 'colon',
  swift: 'colon',
  scala: 'colon',
  go: 'space',
  java: 'before',
  c: 'before',
  cpp: 'before',
  csharp: 'before',
  php: 'before',
};

/** Types around one that stand for it. */
const wrapper =
  /^(?:(?:t|typing)\.)?(?:Promise|Awaited|Readonly|Partial|Required|NonNullable|Option|Optional|Result|Box|Rc|Arc|Ref|Annotated|Final|ClassVar|Type|type|Task|ValueTask|Lazy|shared_ptr|unique_ptr|std::shared_ptr|std::unique_ptr|std::optional)\s*[<[]/;
const typeName =
  /^(?:typeof\s+)?[&*]*(?:mut\s+|dyn\s+|impl\s+|const\s+|struct\s+)*([\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|\\)[\p{L}_$][\p{L}\p{N}_$]*)*)\s*(\[\])?/u;
const noType =
  /^(?:const|let|var|val|return|new|await|else|in|of|string|number|boolean|void|any|unknown|never|int|long|bool|char|double|float|str|auto|final|public|private|protected|static|readonly|case|throw|async|def|fn|func|function|type|None|null|undefined|define|explicit|self|Self|nil|true|false|True|False|\d.*)$/;

/** What a name is or gives, as a chain: by its declared type, or else by the value that it is given at once. */
export function typeOfName(text: string, start: number, end: number, language: string): string | undefined {
  const flavour = flavours[language];
  const after = text.slice(end, end + 300);
  const taken = /script$|^tsx$/.test(language) ? takenFrom(text, start, end) : undefined;
  if (taken !== undefined) return taken;
  if (flavour === 'colon') {
    const colon = /^\s*[?!]?\s*:(?!=)\s*/.exec(after);
    if (colon) return headOfType(after.slice(colon[0].length));
  }
  if (flavour === 'space') {
    const space = /^[^\S\n]+(?=[*\p{L}])/u.exec(after);
    if (space) return headOfType(after.slice(space[0].length));
  }
  if (flavour === 'before') {
    const before = namedBefore.exec(text.slice(namedFrom(text, start), start));
    const named = before?.[1]?.replaceAll('::', '.').replaceAll('\\', '.');
    if (named && !noType.test(named)) return named;
  }
  const value = /^\s*(?::?=)(?![=>])\s*/.exec(after);
  const chain = value ? chainAt(text, end + value[0].length) : undefined;
  // What begins as nothing is something else later.
  return chain !== undefined && noType.test(chain) ? undefined : chain;
}

const namedBefore = /([\p{L}_][\p{L}\p{N}_.:\\]*)(?:<[^<>;(){}]*>)?[\s*&]+$/u;
/** Characters before a name in which its type is looked for. */
const typeReach = 160;

/** Where a type that stands before a place may begin: the pattern alone would be tried at every character of the reach. */
function namedFrom(text: string, place: number): number {
  const min = Math.max(0, place - typeReach);
  let at = place;
  while (at > min && /[\s*&]/.test(text[at - 1] ?? '')) at -= 1;
  if (at === place) return place;
  if (text[at - 1] === '>') at = Math.max(min, text.lastIndexOf('<', at - 1));
  while (at > min && mayBeInName(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** Letters and digits, `_`, `.`, `:` and `\`, and everything beyond ASCII. */
function mayBeInName(code: number): boolean {
  if (code > 127 || code === 95 || code === 92 || code === 46 || code === 58) return true;
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Of a name that is taken out of an object, as in `const { store: own } = parts`: `parts.store`. */
function takenFrom(text: string, start: number, end: number): string | undefined {
  if (!/^\s*[,}=]/.test(text.slice(end, end + 40))) return undefined;
  const key = /[{,]\s*([\p{L}_$][\w$]*)\s*:\s*$/u.exec(text.slice(Math.max(0, start - 80), start))?.[1];
  if (key === undefined && !/[{,]\s*$/.test(text.slice(Math.max(0, start - 40), start))) return undefined;
  let depth = 0;
  for (let at = end; at < Math.min(text.length, end + 400); at += 1) {
    const sign = text[at];
    if (sign === '{' || sign === '(' || sign === '[') depth += 1;
    if (sign === ')' || sign === ']') depth -= 1;
    if (depth < 0 || sign === ';') return undefined;
    if (sign !== '}') continue;
    depth -= 1;
    if (depth >= 0) continue;
    const whole = typeOfWhole(text, at + 1);
    return whole === undefined ? undefined : `${whole}.${key ?? text.slice(start, end)}`;
  }
  return undefined;
}

function typeOfWhole(text: string, at: number): string | undefined {
  const opened = /^\s*([:=])(?![=>])\s*/.exec(text.slice(at, at + 40));
  if (!opened) return undefined;
  const from = at + opened[0].length;
  return opened[1] === ':' ? headOfType(text.slice(from, from + 200)) : chainAt(text, from);
}

/** What a function returns, by its signature. */
export function returnType(signature: string, name: string, language: string): string | undefined {
  const flavour = flavours[language];
  if (flavour === 'before') {
    const at = signature.indexOf(name);
    return at < 1 ? undefined : typeOfName(signature.slice(0, at), at, at, language);
  }
  const close = endOfParameters(signature, name);
  if (close === undefined) return undefined;
  const after = signature.slice(close + 1);
  const colon =
    /^\s*(?:->|:)\s*/.exec(after)?.[0] ?? (flavour === 'space' ? /^\s*/.exec(after)?.[0] : undefined);
  return colon === undefined ? undefined : headOfType(after.slice(colon.length));
}

/** The place of the bracket that closes the parameters. */
function endOfParameters(signature: string, name: string): number | undefined {
  const open = signature.indexOf('(', signature.indexOf(name));
  let depth = 0;
  for (let at = open; at >= 0 && at < signature.length; at += 1) {
    if (signature[at] === '(') depth += 1;
    if (signature[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** The name of a type without what is around it; undefined for lists, functions and what has no name. */
export function headOfType(written: string): string | undefined {
  let text = written.trim();
  for (let depth = 0; depth < 4; depth += 1) {
    text = text.replace(/^(?:readonly|async|asserts|keyof)\s+/, '');
    const around = wrapper.exec(text);
    if (!around) break;
    text = text.slice(around[0].length);
  }
  if (text.startsWith('(')) {
    const arrow = /^\([^()]*\)\s*=>\s*/.exec(text);
    if (!arrow) return headOfTuple(text);
    return headOfType(text.slice(arrow[0].length));
  }
  if (/^['"]/.test(text)) text = text.slice(1);
  const found = typeName.exec(text);
  if (!found?.[1] || found[2] || noType.test(found[1])) return undefined;
  return found[1].replaceAll('::', '.').replaceAll('\\', '.');
}

/** Go returns `(*Store, error)`: what counts is the first. */
function headOfTuple(text: string): string | undefined {
  const first = /^\(\s*(?:\w+\s+)?(\*?[\p{Lu}][\w.]*)\s*,/u.exec(text)?.[1];
  return first === undefined ? undefined : headOfType(first);
}
