import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server';
import { neutraliseLine } from '../../core/text/neutralise.ts';
import { findProject } from './find-project.ts';
import type { Host } from './host.ts';
import { pathsOf } from './resources.ts';

/** As many as the protocol allows in one answer. */
const maxValues = 100;

/** Values that begin with, or hold, what was typed: names of projects, and paths. */
export async function complete(
  host: Host,
  { ref, argument, context }: CompleteRequestParams,
  signal: AbortSignal,
): Promise<CompleteResult> {
  const values = await candidates(host, ref.type, argument.name, context?.arguments?.project, signal);
  const typed = argument.value.toLowerCase();
  const beginning = values.filter((value) => value.toLowerCase().startsWith(typed));
  const holding = values.filter((value) => {
    const lower = value.toLowerCase();
    return lower.includes(typed) && !lower.startsWith(typed);
  });
  const all = [...beginning, ...holding];
  return {
    completion: { values: all.slice(0, maxValues), total: all.length, hasMore: all.length > maxValues },
  };
}

async function candidates(
  host: Host,
  kind: string,
  argument: string,
  project: string | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  if (argument === 'project') return (await host.projects(signal)).map(({ name }) => neutraliseLine(name));
  if (argument !== 'path') return [];
  const decoded = project === undefined || kind === 'ref/prompt' ? undefined : project;
  const projects =
    decoded === undefined ? await host.projects(signal) : [await findProject(host, decoded, signal)];
  const paths: string[] = [];
  for await (const { path } of pathsOf(host, projects, signal)) paths.push(neutraliseLine(path));
  return paths;
}
