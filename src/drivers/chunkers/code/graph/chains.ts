// A chain is a path of names as code writes it, without arguments: `this.store`, `openStore()`, `Parser`.

/** Characters that are looked at around a name. */
const reach = 2_000;
const maxLength = 120;
const name = /[\p{L}\p{N}_$#@]/u;

const arrows = /^(?:c|cpp|php)$/;
const colons = /^(?:rust|cpp|ruby|php|java|kotlin)$/;

/** The sign before a place that makes the name there a member of something, if there is one. It stands in the same line. */
function separatorBefore(text: string, at: number, language: string): { readonly start: number } | undefined {
  let end = at;
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end -= 1;
  const sign = text[end - 1];
  if (sign === '.') {
    if (text[end - 2] === '.' || language === 'bash') return undefined;
    return { start: /[?!&]/.test(text[end - 2] ?? '') ? end - 2 : end - 1 };
  }
  if (sign === '>' && text[end - 2] === '-' && arrows.test(language))
    return { start: text[end - 3] === '?' ? end - 3 : end - 2 };
  if (sign !== ':') return undefined;
  if (text[end - 2] === ':') return colons.test(language) ? { start: end - 2 } : undefined;
  return language === 'lua' ? { start: end - 1 } : undefined;
}

/** Whether what stands before a place makes the name there a member of something. */
export function isMember(text: string, at: number, language: string): boolean {
  return separatorBefore(text, at, language) !== undefined;
}

/** The chain before a member: of `a.b(c).name` it is `a.b()`; `?` where it is something else. */
export function chainBefore(text: string, at: number, language: string): string {
  const min = Math.max(0, at - reach);
  let place = at;
  let chain = '';
  for (let step = 0; step < 8; step += 1) {
    const separator = separatorBefore(text, place, language);
    if (separator === undefined) break;
    place = backOverSpace(text, separator.start);
    if (text[place - 1] === '!') place -= 1;
    let calls = '';
    if (text[place - 1] === ')') {
      const open = opening(text, place, min);
      if (open === undefined) return '?';
      const before = backOverGenerics(text, backOverSpace(text, open));
      if (before === 0 || !name.test(text[before - 1] ?? '')) {
        const inner = chainAt(text, open + 1, place - 1);
        return inner === undefined ? '?' : joined(inner, chain);
      }
      calls = '()';
      place = before;
    }
    const end = place;
    while (place > min && name.test(text[place - 1] ?? '')) place -= 1;
    if (place === end) return '?';
    const made = calls !== '' && /\bnew\s+$/.test(text.slice(Math.max(0, place - 8), place));
    chain = joined(text.slice(place, end) + (made ? '' : calls), chain);
    if (chain.length > maxLength) return '?';
    if (!isMember(text, place, language)) return chain;
  }
  return chain === '' ? '?' : chain;
}

/** The chain that begins at a place, as the value of something; undefined where the value is no chain. */
export function chainAt(
  text: string,
  at: number,
  until = Math.min(text.length, at + reach),
): string | undefined {
  const opened =
    /^\s*(?:await\s+|try\s+|&(?:mut\s+)?|\*|return\s+)*(new\s+)?/.exec(
      text.slice(at, Math.min(until, at + 60)),
    )?.[0] ?? '';
  let place = at + opened.length;
  let chain = '';
  for (let step = 0; step < 8; step += 1) {
    const start = place;
    while (place < until && name.test(text[place] ?? '')) place += 1;
    if (place === start || /^\d/.test(text.slice(start, start + 1))) break;
    const word = text.slice(start, place);
    if (word === 'import' && text[place] === '(') {
      const from = /^\(\s*['"]([^'"\n]+)['"]\s*\)/.exec(text.slice(place, place + 300));
      if (!from) return undefined;
      chain = `import(${from[1]})`;
      place += from[0].length;
    } else chain = chain === '' ? word : `${chain}.${word}`;
    if (text[place] === '<') place = overGenerics(text, place, until);
    if (text[place] === '(' || (text[place] === '{' && /^&?\p{Lu}/u.test(word) && step === 0)) {
      const end = closing(text, place, until);
      if (end === undefined) return undefined;
      if (!/new\s+$/.test(opened) && text[place] === '(') chain += '()';
      place = end;
    }
    const separator = /^(?:\s*(?:\?\.|!\.|\.|->)|::)\s*/.exec(text.slice(place, place + 40))?.[0];
    if (separator === undefined) break;
    place += separator.length;
  }
  const rest = text.slice(place, Math.min(until, place + 30));
  if (chain === '' || chain.length > maxLength) return undefined;
  return /^\s*(?:[;,)}\n!]|$|\?\?|\|\||as\b|\?;)/.test(rest) || /^[^\S\n]*(?:\r?\n|$|#|\/\/)/.test(rest)
    ? chain
    : undefined;
}

function joined(first: string, rest: string): string {
  return rest === '' ? first : `${first}.${rest}`;
}

function backOverSpace(text: string, at: number): number {
  let place = at;
  while (place > 0 && text.charCodeAt(place - 1) <= 32) place -= 1;
  return place;
}

function backOverGenerics(text: string, at: number): number {
  if (text[at - 1] !== '>') return at;
  let depth = 0;
  for (let place = at - 1; place >= Math.max(0, at - 200); place -= 1) {
    if (text[place] === '>') depth += 1;
    if (text[place] === '<') depth -= 1;
    if (depth === 0) return place;
  }
  return at;
}

function overGenerics(text: string, at: number, until: number): number {
  let depth = 0;
  for (let place = at; place < Math.min(until, at + 200); place += 1) {
    const sign = text[place];
    if (sign === '<') depth += 1;
    if (sign === '>') depth -= 1;
    if (sign === ';') return at;
    if (depth === 0) return text[place + 1] === '(' ? place + 1 : at;
  }
  return at;
}

/** The place of the bracket that a closing one belongs to. What stands in strings is not told apart. */
function opening(text: string, at: number, min: number): number | undefined {
  let depth = 0;
  for (let place = at - 1; place >= min; place -= 1) {
    const sign = text[place];
    if (sign === ')' || sign === ']' || sign === '}') depth += 1;
    if (sign === '(' || sign === '[' || sign === '{') depth -= 1;
    if (depth === 0) return place;
  }
  return undefined;
}

/** The place behind the bracket that closes the one at a place. */
function closing(text: string, at: number, until: number): number | undefined {
  let depth = 0;
  for (let place = at; place < until; place += 1) {
    const sign = text[place];
    if (sign === '(' || sign === '[' || sign === '{') depth += 1;
    if (sign === ')' || sign === ']' || sign === '}') depth -= 1;
    if (depth === 0) return place + 1;
  }
  return undefined;
}
