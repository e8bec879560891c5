// Other people's splitters, loaded from a folder of their own: they weigh hundreds of megabytes installed.
import { createRequire } from 'node:module';
import { extname, join, resolve } from 'node:path';
import type { SourceText } from './source-files.ts';

/** A splitter to compare with. */
export interface Peer {
  readonly name: string;
  /** How many chunks it makes of a file. */
  split(file: SourceText): Promise<number>;
  /** Whether it cuts this file by its syntax tree; known once the file was split. */
  parses(file: SourceText): boolean;
  /** What a reader of the result must know. */
  note(): string;
}

interface Splitter {
  split?(code: string, language: string, path: string): Promise<readonly unknown[]>;
  splitText?(text: string): Promise<readonly string[]>;
}

const languages: Readonly<Record<string, string>> = {
  '.ts': 'typescript',
  '.tsx': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.js': 'javascript',
  '.jsx': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.py': 'python',
  '.java': 'java',
  '.c': 'c',
  '.h': 'c',
  '.cc': 'cpp',
  '.cpp': 'cpp',
  '.hpp': 'cpp',
  '.cs': 'csharp',
  '.go': 'go',
  '.rs': 'rust',
  '.rb': 'ruby',
  '.php': 'php',
  '.swift': 'swift',
  '.kt': 'kotlin',
  '.scala': 'scala',
  '.md': 'markdown',
};
const separatorsOf: Readonly<Record<string, string>> = {
  typescript: 'js',
  javascript: 'js',
  c: 'cpp',
  csharp: 'java',
  kotlin: 'java',
};

/** The splitters that `folder/node_modules` holds; what is not installed there is left out. */
export function loadPeers(folder: string): Peer[] {
  const load = createRequire(join(resolve(folder), 'index.js'));
  return [() => claudeContext(load), () => langChain(load)].flatMap((open) => {
    try {
      return [open()];
    } catch (thrown) {
      console.log(`A peer is left out: ${String(thrown).split('\n')[0]}`);
      return [];
    }
  });
}

function languageOf(file: SourceText): string {
  return languages[extname(file.uri).toLowerCase()] ?? 'text';
}

function claudeContext(load: NodeJS.Require): Peer {
  const { AstCodeSplitter } = load('@zilliz/claude-context-core/dist/splitter/ast-splitter.js') as {
    AstCodeSplitter: new (size: number, overlap: number) => Splitter;
  };
  const splitter = new AstCodeSplitter(2500, 300);
  const withoutTree = new Set<string>();
  return {
    name: 'claude-context AstCodeSplitter (2500 characters, overlap 300: its defaults)',
    async split(file) {
      // It prints a line for each file; printing is no part of cutting.
      const { log, warn } = console;
      console.log = (line: unknown) => void (/not supported/.test(String(line)) && withoutTree.add(file.uri));
      console.warn = () => void withoutTree.add(file.uri);
      try {
        return (await splitter.split?.(file.text, languageOf(file), file.uri))?.length ?? 0;
      } finally {
        console.log = log;
        console.warn = warn;
      }
    },
    parses: ({ uri }) => !withoutTree.has(uri),
    note: () => `${withoutTree.size} files without a tree, by its fallback`,
  };
}

function langChain(load: NodeJS.Require): Peer {
  const { RecursiveCharacterTextSplitter: Recursive } = load('@langchain/textsplitters') as {
    RecursiveCharacterTextSplitter: {
      new (options: object): Splitter;
      fromLanguage(language: string, options: object): Splitter;
    };
  };
  const sizes = { chunkSize: 1000, chunkOverlap: 200 };
  const opened = new Map<string, Splitter>();
  const open = (language: string): Splitter => {
    const name = separatorsOf[language] ?? language;
    try {
      return Recursive.fromLanguage(name, sizes);
    } catch {
      return new Recursive(sizes);
    }
  };
  return {
    name: 'LangChain RecursiveCharacterTextSplitter (1000 characters, overlap 200: its defaults)',
    async split(file) {
      const language = languageOf(file);
      const splitter = opened.get(language) ?? open(language);
      opened.set(language, splitter);
      return (await splitter.splitText?.(file.text))?.length ?? 0;
    },
    parses: () => false,
    note: () => 'no tree, no tokens',
  };
}
