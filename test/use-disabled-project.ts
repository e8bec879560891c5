import { openProject } from '../src/index.ts';

/** Calls everything a project offers; run in a process of its own to see what that loads. */
export default async function useDisabledProject(folder: string): Promise<void> {
  const project = await openProject(folder);
  for await (const event of project.index({ full: true }))
    if (!['project-disabled', 'index-end'].includes(event.type)) throw event;
  const { hits } = await project.search('anything');
  if ((await project.inject('prompt', 'anything')) !== 'prompt') throw hits;
  const { enabled } = await project.status();
  if (enabled || hits.length > 0) throw hits;
  await project.close();
}
