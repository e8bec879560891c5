import { openProject } from '../src/index.ts';

/** Adds content without an end and prints the uri of each document that was added; run in a process that is killed. */
const [, , folder = '', round = ''] = process.argv;
const project = await openProject(folder, {
  settings: { 'embedder.driver': 'hashing', 'resources.threads': 1, 'cache.max_bytes': 0 },
});
for (let number = 0; ; number += 1) {
  const { uri } = await project.add({
    name: `${round}-${number}.md`,
    text: `Note ${number} of round ${round}.`,
  });
  process.stdout.write(`${uri}\n`);
}
