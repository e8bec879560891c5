import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { asQuarryError, QuarryError } from '../../core/errors.ts';
import { neutraliseName } from '../../core/text/neutralise.ts';
import { beginningOf } from '../../core/text/shortened.ts';
import type { readOperation } from '../../operations/find/read.ts';
import type { manifestOperation } from '../../operations/index/manifest.ts';
import { answerText, quote } from './fence.ts';
import { findProject } from './find-project.ts';
import type { Host, OfferedProject } from './host.ts';

/** Resources of one page of the list. */
const pageSize = 200;

/** Tokens of one resource at most: clients cap what they take. */
const maxTokens = 20_000;

/** How every indexed file can be addressed. */
export const resourceTemplate = {
  uriTemplate: 'quarry://{project}/{+path}',
  name: 'indexed-file',
  title: 'Indexed file',
  description: 'The text of an indexed file; with #10-40 at the end only these lines.',
} as const;

/** The address of a file of a project. */
export function resourceUri({ name }: OfferedProject, path: string): string {
  return `quarry://${encodeURIComponent(name)}/${path.toWellFormed().split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * The paths of these projects that can be read, those of each sorted. One that is disabled has none: where it is the only
 * one, that is said; where it is not, it keeps none of the others from being listed.
 */
export async function* pathsOf(
  host: Host,
  projects: readonly OfferedProject[],
  signal: AbortSignal,
): AsyncGenerator<{ readonly project: OfferedProject; readonly path: string }> {
  for (const project of projects) {
    const manifest = host.call(project, 'manifest', {}, { signal }).catch((thrown: unknown) => {
      if (projects.length === 1 || asQuarryError(thrown).code !== 'project-disabled') throw thrown;
      return { entries: [] };
    });
    const { entries } = (await manifest) as z.output<typeof manifestOperation.output>;
    for (const { status, path } of entries) if (status === 'indexed') yield { project, path };
  }
}

/** One page of all files of all projects; the cursor names the file that the next page begins after. */
export async function listResources(
  host: Host,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ListResourcesResult> {
  const resources: ListResourcesResult['resources'] = [];
  const after = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString();
  let isPast = after === undefined;
  for await (const { project, path } of pathsOf(host, await host.projects(signal), signal)) {
    const uri = resourceUri(project, path);
    if (isPast && resources.length === pageSize) {
      const last = resources.at(-1)?.uri ?? '';
      return { resources, nextCursor: Buffer.from(last).toString('base64url') };
    }
    if (isPast) resources.push({ uri, name: neutraliseName(path), mimeType: 'text/plain' });
    isPast ||= uri === after;
  }
  if (!isPast) throw badAddress('The cursor leads nowhere.', 'List the resources from the beginning.');
  return { resources };
}

/** The text of a file, or of lines of it, quoted: clients put it into a prompt as it is. */
export async function readResource(
  host: Host,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const { project: name, path, lines } = parseAddress(uri);
  const project = await findProject(host, name, signal);
  const { text, is_cut, next } = (await host.call(
    project,
    'read',
    { path, ...(lines && { lines }), max_tokens: maxTokens },
    { signal },
  )) as z.output<typeof readOperation.output>;
  const rest = is_cut ? ['Cut here. The rest:', quote([next ?? 'not in lines'])] : [];
  return { contents: [{ uri, mimeType: 'text/plain', text: answerText([quote([], text), ...rest]) }] };
}

function parseAddress(uri: string): { project: string; path: string; lines: string | undefined } {
  const found = /^quarry:\/\/([^/#?]+)\/([^#]+?)(?:#L?(\d{1,9}(?:-L?\d{0,9})?))?$/.exec(uri);
  try {
    if (found?.[1] && found[2])
      return {
        project: decodeURIComponent(found[1]),
        path: decodeURIComponent(found[2]),
        lines: found[3]?.replaceAll('L', ''),
      };
  } catch {
    // Falls through: an escape that is none.
  }
  throw badAddress(
    `${JSON.stringify(beginningOf(uri, 100))} is not the address of a file.`,
    'Write it like quarry://project/src/a.ts#10-40.',
  );
}

function badAddress(message: string, remedy: string): QuarryError {
  return new QuarryError('usage-invalid', message, remedy);
}
