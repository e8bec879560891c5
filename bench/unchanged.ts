// How long it takes to see that nothing changed in a tree of 10,000 files, beside `git status` on the same tree.
// Usage: npx node bench/unchanged.ts [--files N]
import { execFileSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openProject } from '../src/index.ts';
import { temporaryFolder } from '../src/testing/temporary-folder.ts';

const { values } = parseArgs({ options: { files: { type: 'string', default: '10000' } } });
const count = Number(values.files);
const files = Object.fromEntries(
  Array.from({ length: count }, (_, index) => [
    `part-${index % 100}/group-${index % 10}/file-${index}.md`,
    `# File ${index}\n\nThe content of file number ${index}, which nobody changes.\n`,
  ]),
);
const folder = await temporaryFolder(files);
// Long ago: a file that has just been written is looked at twice.
for (const path of Object.keys(files)) utimesSync(join(folder, path), 1_700_000_000, 1_700_000_000);
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
    cwd: folder,
    stdio: 'pipe',
  });
git('init', '--quiet');
git('add', '.');
git('commit', '--quiet', '-m', 'files');
const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
for await (const _ of project.index());

const ours: number[] = [];
const theirs: number[] = [];
for (let round = 0; round < 7; round += 1) {
  theirs.push(await seconds(async () => void git('status', '--porcelain')));
  ours.push(
    await seconds(async () => {
      for await (const event of project.index())
        if (event.type === 'index-end' && event.summary.documents.unchanged !== count)
          throw new Error('changed');
    }),
  );
}
await project.close();
const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
console.log(`${count} unchanged files`);
console.log(`git status:   ${(median(theirs) * 1000).toFixed(0)} ms`);
console.log(
  `quarry index: ${(median(ours) * 1000).toFixed(0)} ms, ${(median(ours) / median(theirs)).toFixed(1)} x`,
);

async function seconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
