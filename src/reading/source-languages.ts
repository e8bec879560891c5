import { extname } from 'node:path';
import { unpackedName } from '../core/document.ts';
import { languageOf } from '../drivers/chunkers/code/languages.ts';

/** Names of the languages that no syntax tree cuts, by the end of a file's name. */
const languages: Readonly<Record<string, string>> = {
  '.sql': 'sql',
  '.proto': 'protobuf',
  '.graphql': 'graphql',
  '.gql': 'graphql',
  '.vue': 'vue',
  '.svelte': 'svelte',
  '.astro': 'astro',
  '.dockerfile': 'dockerfile',
  '.containerfile': 'dockerfile',
  '.css': 'css',
  '.scss': 'scss',
  '.sass': 'sass',
  '.less': 'less',
  '.cmake': 'cmake',
  '.gradle': 'groovy',
  '.groovy': 'groovy',
  '.erl': 'erlang',
  '.hrl': 'erlang',
  '.fs': 'fsharp',
  '.fsi': 'fsharp',
  '.fsx': 'fsharp',
  '.clj': 'clojure',
  '.cljs': 'clojure',
  '.cljc': 'clojure',
  '.lisp': 'lisp',
  '.el': 'elisp',
  '.scm': 'scheme',
  '.rkt': 'racket',
  '.lhs': 'haskell',
  '.ml': 'ocaml',
  '.mli': 'ocaml',
  '.elm': 'elm',
  '.purs': 'purescript',
  '.nim': 'nim',
  '.cr': 'crystal',
  '.pas': 'pascal',
  '.f90': 'fortran',
  '.f95': 'fortran',
  '.asm': 'assembly',
  '.s': 'assembly',
  '.v': 'verilog',
  '.sv': 'systemverilog',
  '.vhd': 'vhdl',
  '.vhdl': 'vhdl',
  '.sol': 'solidity',
  '.coffee': 'coffeescript',
  '.tcl': 'tcl',
  '.awk': 'awk',
  '.ps1': 'powershell',
  '.psm1': 'powershell',
  '.bat': 'batch',
  '.cmd': 'batch',
  '.fish': 'fish',
  '.vim': 'vim',
  '.glsl': 'glsl',
  '.hlsl': 'hlsl',
  '.wgsl': 'wgsl',
  '.metal': 'metal',
  '.cu': 'cuda',
  '.cuh': 'cuda',
  '.vb': 'vb',
  '.adb': 'ada',
  '.ads': 'ada',
  '.odin': 'odin',
  '.gleam': 'gleam',
  '.res': 'rescript',
  '.lean': 'lean',
};

/** A container's file has its name first or alone: `Dockerfile.web`. */
export const dockerfile = /^(?:docker|container)file(?:[.-][\w.-]+)?$/;

/** The language that a file is written in by its name, whether or not there is a grammar for it; undefined for what is no source. */
export function languageNamed(uri: string): string | undefined {
  const path = unpackedName(uri);
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return languageOf(uri) ?? (dockerfile.test(name) ? 'dockerfile' : languages[extname(name)]);
}
