import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { Project } from '../src/calls/project.ts';
import { asQuarryError } from '../src/core/errors.ts';
import type { AskedFolder } from './hostile-folder-processes.ts';

/*
 * Opens the folders that are named on standard input, one a line, and asks them. It is a process of its own, so that one that
 * hangs can be ended. For each folder it prints a line with what came of each question. The library is the file of its
 * argument, as it was built where that is of this source.
 */

const { openProject, QuarryError } = (await import(
  pathToFileURL(process.argv[2] ?? '').href
)) as typeof import('../src/index.ts');

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'resident.mode': 'never' };

const questions: Readonly<Record<string, (project: Project) => Promise<unknown>>> = {
  search: (project) => project.search('heron'),
  status: (project) => project.status(),
  read: (project) => project.read({ path: 'lake.md' }),
  add: (project) => project.add({ name: 'more', text: 'An otter swims at night.' }),
  index: async (project) => {
    for await (const _ of project.index());
  },
  verify: async (project) => {
    for await (const _ of project.verify());
  },
  repair: async (project) => {
    for await (const _ of project.repair());
  },
  'clean all': (project) => project.clean({ all: true }),
};

async function outcomeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'done';
  } catch (thrown) {
    const { code, message, cause } = thrown instanceof QuarryError ? thrown : asQuarryError(thrown);
    return code === 'internal' ? `internal: ${message} ${(cause as Error | undefined)?.stack}` : code;
  }
}

async function ask({ folder, turn }: AskedFolder): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  const all = Object.entries(questions);
  const asked = all.filter((_, at) => turn === undefined || ((at + turn) % all.length) % 3 === 0);
  for (const [name, question] of asked) {
    process.stdout.write(`${JSON.stringify({ folder, begins: name })}\n`);
    outcomes[name] = await outcomeOf(async () => {
      // Opened for each, as a command does it.
      const project = await openProject(folder, { settings });
      try {
        await question(project);
      } finally {
        await project.close();
      }
    });
  }
  return outcomes;
}

const lines = createInterface({ input: process.stdin });
const asked: string[] = [];
lines.on('line', (line) => asked.push(line));
await once(lines, 'close');
for (const line of asked) {
  const given = JSON.parse(line) as AskedFolder;
  const outcomes = await ask(given);
  const { maxRSS: kilobytes } = process.resourceUsage();
  process.stdout.write(`${JSON.stringify({ folder: given.folder, outcomes, kilobytes })}\n`);
}
