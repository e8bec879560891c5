import type { LanguageRules } from './grammar-rules.ts';
import { rules } from './rules.ts';

/** Every language that is cut by its syntax tree. */
export const languages: readonly string[] = Object.keys(rules);

/** How a language is read, or undefined for one that is not known. */
export function rulesOf(language: string): LanguageRules | undefined {
  return Object.hasOwn(rules, language) ? rules[language] : undefined;
}

/** The grammars of all languages, each by its package and path in it. */
export function grammarPaths(): string[] {
  return [...new Set(Object.values(rules).map(({ wasm }) => wasm))];
}

/** Where a build has a grammar, below its folder: packed, since its tables shrink to a tenth. */
export function grammarFile(path: string): string {
  return `grammars/${path.slice(path.lastIndexOf('/') + 1)}.zst`;
}
