import { openProject } from '../src/index.ts';

/** Brings the index of a folder up to date, as a process that does nothing else. */
export default async function indexOnce(folder: string): Promise<void> {
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  for await (const _ of project.index());
  await project.close();
}
