import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openProject, type Project } from 'quarry';

const sample = fileURLToPath(new URL('./librarian/project', import.meta.url));

/** Runs an example with an indexed copy of the sample project: decisions, standards and designs of a made-up team. */
export async function withSampleProject(work: (project: Project) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-example-'));
  await cp(sample, folder, { recursive: true });
  const project = await openProject(folder);
  try {
    for await (const event of project.index())
      if (event.type === 'index-end') say(`${event.summary.documents.indexed} documents indexed`);
    await work(project);
  } finally {
    await project.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a line. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}
