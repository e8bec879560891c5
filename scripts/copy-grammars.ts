// Puts the grammars that are used into the build, packed: their package holds more than twice as many.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { grammarFile, grammarPaths } from '../src/drivers/chunkers/code/rules-of.ts';
import { packagePath } from '../src/platform/package-folder.ts';

/** Beyond it a build waits longer for next to nothing. */
const params = { [constants.ZSTD_c_compressionLevel]: 9 };

for (const path of grammarPaths()) {
  const target = packagePath(`dist/${grammarFile(path)}`);
  mkdirSync(dirname(target), { recursive: true });
  const content = readFileSync(packagePath(`node_modules/${path}`));
  writeFileSync(target, zstdCompressSync(content, { params }));
}
