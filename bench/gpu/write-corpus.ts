// Writes the texts of the benchmark as token ids, for the limit without HTTP.
// Usage: node bench/gpu/write-corpus.ts FOLDER
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LengthMix, textsOf } from './texts.ts';
import { binaryBody, tokenIds } from './wire.ts';

const folder = process.argv[2] ?? '.';
for (const mix of ['mixed', 'short', 'long'] satisfies LengthMix[]) {
  writeFileSync(join(folder, `${mix}.bin`), binaryBody(textsOf(20_000, mix).map(tokenIds)));
}
