// Writes the hash of the build into it, by which a client and an engine see that they are the same program, and the hash of
// what it was made from.
import { writeFileSync } from 'node:fs';
import { contentFile, contentHash } from '../src/client/build.ts';
import { packagePath } from '../src/platform/package-folder.ts';
import { sourceFile, sourceHash } from './source-hash.ts';

writeFileSync(packagePath(`dist/${contentFile}`), contentHash('dist'));
writeFileSync(packagePath(`dist/${sourceFile}`), sourceHash());
