/** A name that is bound within a function. */
export interface LocalName {
  readonly start: number;
  /** What it is, as a chain that still has to be understood where it stands. */
  readonly type: string | undefined;
}

/** A function, or the file as a whole: names that are bound in it hold in no other. */
export interface Scope {
  readonly start: number;
  readonly end: number;
  readonly outer: Scope | undefined;
  readonly locals: Map<string, LocalName>;
}

/** The functions of a file, each within the one around it; the first is the file itself. */
export function nestScopes(
  ranges: readonly (readonly [start: number, end: number])[],
  length: number,
): Scope[] {
  const sorted = [...ranges].sort((one, other) => one[0] - other[0] || other[1] - one[1]);
  const scopes: Scope[] = [{ start: 0, end: length, outer: undefined, locals: new Map() }];
  let current = scopes[0];
  for (const [start, end] of sorted) {
    while (current?.outer && current.end <= start) current = current.outer;
    const scope: Scope = { start, end, outer: current, locals: new Map() };
    scopes.push(scope);
    current = scope;
  }
  return scopes;
}

/** Gives the innermost of nested ranges at places that are asked in rising order. */
export function innermost<Range extends { readonly start: number; readonly end: number }>(
  ranges: readonly Range[],
): (at: number) => Range | undefined {
  let next = 0;
  const open: Range[] = [];
  return (at) => {
    for (let range = ranges[next]; range && range.start <= at; range = ranges[next]) {
      while (open.length > 0 && (open.at(-1)?.end ?? 0) <= range.start) open.pop();
      open.push(range);
      next += 1;
    }
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= at) open.pop();
    return open.at(-1);
  };
}

/** The binding of a name at a place within a scope; undefined where it is bound in no function around it. */
export function boundIn(scope: Scope | undefined, name: string): LocalName | undefined {
  for (let at = scope; at; at = at.outer) {
    const local = at.locals.get(name);
    if (local) return local;
  }
  return undefined;
}
