// Copies the grammars that are used into the build: their package holds more than twice as many.
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { grammarFile, grammarPaths } from '../src/drivers/chunkers/code/languages.ts';
import { packagePath } from '../src/platform/package-folder.ts';

for (const path of grammarPaths()) {
  const target = packagePath(`dist/${grammarFile(path)}`);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(packagePath(`node_modules/${path}`), target);
}
