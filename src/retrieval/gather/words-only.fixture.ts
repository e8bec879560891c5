import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { openProject } from '../../project/open-project.ts';

/** A question whose words stand in texts about something else too. */
export const bankQuestion = 'bank accounts with money and finance';
/** A text that has a word of it more often than any other, and means something else by it. */
export const streamText =
  '# Stream\n\nThe bank of the stream, its other bank and a bank of mud, with reeds and herons.';

/** Notes that have nothing to do with it. */
export function dryNotes(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name}\n\n${name} is kept dry.`]));
}

/** A project whose text is indexed, and none of its vectors. */
export async function withoutVectors(files: Readonly<Record<string, string>>) {
  const settings = { 'embedder.driver': 'hashing', 'cache.max_bytes': 0 } as const;
  const project = await openProject(await temporaryFolder(files), { settings });
  for await (const _ of project.index({ giveWay: AbortSignal.abort() }));
  return project;
}
