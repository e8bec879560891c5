#!/usr/bin/env node
// Kept small: `quarry --version` and the check of the runtime must not load anything heavy.
import { readFileSync } from 'node:fs';
import { useCompileCache } from '../../platform/compile-cache.ts';
import { currentFolderFault } from '../../platform/current-folder.ts';
import { keepWasmLean, keepWasmLeanForReading } from '../../platform/lean-wasm.ts';
import { runtimeFault } from '../../platform/supported-runtime.ts';
import { followReader } from './terminal/reader.ts';

const words = process.argv.slice(2);
// Keeps the query out of the list of processes.
process.title = 'quarry';
const readerGone = followReader();
const fault = runtimeFault() ?? currentFolderFault();

if (words[0] === '--version' || words[0] === '-v') {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${version}\n`);
} else if (fault) {
  process.stderr.write(`quarry: ${fault.message} (requirement-missing)\n${fault.remedy}\n`);
  process.exitCode = 4;
} else {
  await useCompileCache(words[0]);
  // An evaluation runs thousands of queries and needs the faster WebAssembly; other commands run one at most.
  if (words[0] === 'search' || words[0] === 'read' || words[0] === 'status') keepWasmLeanForReading();
  else if (words[0] !== 'eval') keepWasmLean();
  // An editor waits for its first answer: the rest of the program is loaded after it.
  const isForEditor = words[0] === 'mcp' && !words.some((word) => ['install', '--help', '-h'].includes(word));
  const { runCommandLine } = isForEditor
    ? await import('./run/serve-editor.ts')
    : await import('./command-line.ts');
  const exitCode = await runCommandLine(words, readerGone);
  // When the reader has left, the exit code is already set.
  if (!readerGone.aborted) process.exitCode = exitCode;
}
