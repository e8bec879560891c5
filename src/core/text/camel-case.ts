/** A name of settings and operations as the library writes it: `top_k` is `topK`. */
export type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The same fields under the names of the library; one that may be undefined may be absent. */
export type CamelCased<Fields> = {
  [Name in keyof Fields as CamelCase<Name & string>]: Exclude<Fields[Name], undefined>;
};

/** The same fields under the names of the library; those that are undefined are left out. */
export function camelCased<Fields extends object>(fields: Fields): CamelCased<Fields> {
  const renamed = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()), value]);
  return Object.fromEntries(renamed);
}
