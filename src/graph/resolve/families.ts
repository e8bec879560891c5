const families: Readonly<Record<string, string>> = {
  typescript: 'script',
  tsx: 'script',
  javascript: 'script',
  c: 'c',
  cpp: 'c',
  java: 'jvm',
  kotlin: 'jvm',
  scala: 'jvm',
};

/** Languages whose code calls each other's. */
export function familyOf(language: string): string {
  return families[language] ?? language;
}

/** Whether a name of another file holds only where it is imported. */
export function isStrict(language: string): boolean {
  return ['script', 'python'].includes(familyOf(language));
}

/** Whether members of a class are named without their object within it. */
export function hasImplicitMembers(language: string): boolean {
  return ['jvm', 'csharp', 'swift', 'ruby', 'c', 'php'].includes(familyOf(language));
}

const prototypes = [
  Array,
  String,
  Map,
  Set,
  WeakMap,
  Promise,
  Object,
  Function,
  RegExp,
  Date,
  Number,
  Uint8Array,
  ArrayBuffer,
  AbortSignal,
  URL,
];
const brought = new Set([
  ...prototypes.flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)),
  ...'append extend insert pop remove index count sort reverse copy clear update items keys values get setdefault popitem strip lstrip rstrip split rsplit splitlines join replace startswith endswith lower upper title format encode decode find rfind isdigit isalpha read readline readlines write writelines close flush seek open group groups match search sub findall add discard union difference intersection issubset len size length push next iter equals hashCode contains isEmpty first last put map filter reduce collect unwrap clone into as_str to_string on once emit send wait start stop run'.split(
    ' ',
  ),
]);

/** Whether values that every language brings along have a member of this name. */
export function isCommonMember(name: string): boolean {
  return brought.has(name);
}
