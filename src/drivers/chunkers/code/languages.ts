import type { LanguageRules } from './grammar-rules.ts';
import { rules } from './rules.ts';

/** Language of a file by the end of its name, in lower case. */
const byExtension: Readonly<Record<string, string>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  py: 'python',
  pyi: 'python',
  pyw: 'python',
  // Build files of gyp are Python literals.
  gyp: 'python',
  gypi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  c: 'c',
  // A header may be of either language, and the grammar of C++ reads C too.
  h: 'cpp',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  hxx: 'cpp',
  ipp: 'cpp',
  cs: 'csharp',
  rb: 'ruby',
  rake: 'ruby',
  gemspec: 'ruby',
  podspec: 'ruby',
  ru: 'ruby',
  php: 'php',
  phtml: 'php',
  kt: 'kotlin',
  kts: 'kotlin',
  swift: 'swift',
  scala: 'scala',
  sc: 'scala',
  sbt: 'scala',
  sh: 'bash',
  bash: 'bash',
  zsh: 'bash',
  ksh: 'bash',
  lua: 'lua',
  ex: 'elixir',
  exs: 'elixir',
  dart: 'dart',
  hs: 'haskell',
  zig: 'zig',
  r: 'r',
  pl: 'perl',
  pm: 'perl',
  nix: 'nix',
  tf: 'hcl',
  tfvars: 'hcl',
  hcl: 'hcl',
  m: 'objc',
  mm: 'objc',
  jl: 'julia',
  mk: 'make',
  mak: 'make',
};

/** Language of a file that is known by its whole name, in lower case. */
const byName: Readonly<Record<string, string>> = {
  rakefile: 'ruby',
  gemfile: 'ruby',
  guardfile: 'ruby',
  vagrantfile: 'ruby',
  podfile: 'ruby',
  fastfile: 'ruby',
  brewfile: 'ruby',
  sconstruct: 'python',
  sconscript: 'python',
  wscript: 'python',
  jakefile: 'javascript',
  '.bashrc': 'bash',
  '.bash_profile': 'bash',
  '.bash_aliases': 'bash',
  '.profile': 'bash',
  '.zshrc': 'bash',
  '.zshenv': 'bash',
  '.zprofile': 'bash',
  pkgbuild: 'bash',
  makefile: 'make',
  gnumakefile: 'make',
};

/** Every language that is cut by its syntax tree. */
export const languages: readonly string[] = Object.keys(rules);

/** The programming language of a path by its name, or undefined; loads nothing. */
export function languageOf(uri: string): string | undefined {
  const name = (uri.split(/[/\\:]/).at(-1) ?? '').toLowerCase();
  if (Object.hasOwn(byName, name)) return byName[name];
  const dot = name.lastIndexOf('.');
  const extension = name.slice(dot + 1);
  return dot > 0 && Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
}

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
