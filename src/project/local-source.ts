import type { Source } from '../contracts/source.ts';
import { createLocalSource } from '../drivers/sources/local/local-source.ts';
import type { Environment } from '../platform/environment.ts';
import { formatOf } from './reading/formats.ts';
import type { Settings } from './settings/settings.ts';

/** The files of a project, as its settings choose them. */
export function openLocalSource(folder: string, { index }: Settings, environment: Environment): Source {
  const home = environment('HOME') ?? environment('USERPROFILE');
  return createLocalSource({
    root: folder,
    roots: index.roots,
    include: index.include,
    exclude: index.exclude,
    maxFileBytes: (uri) => (formatOf(uri).isContainer ? index.max_document_bytes : index.max_file_bytes),
    useGitignore: index.gitignore,
    environment,
    ...(home && { home }),
  });
}
