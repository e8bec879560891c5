import { writeFile } from 'node:fs/promises';
import { referencePages } from './reference.ts';

for (const [name, text] of Object.entries(await referencePages())) {
  await writeFile(new URL(`../docs/reference/${name}`, import.meta.url), text);
}
