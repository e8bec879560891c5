import { resolve } from 'node:path';
import { createKeptSource } from '../added/kept-source.ts';
import type { Source } from '../contracts/source.ts';
import { isVirtual } from '../core/document.ts';
import { isCommit } from '../core/documents/commit.ts';
import { isConversation } from '../core/documents/conversation.ts';
import { createLocalSource } from '../drivers/sources/local/local-source.ts';
import type { LocalSourceOptions } from '../drivers/sources/local/local-source-options.ts';
import { hasRecogniser } from '../models/added-models.ts';
import { type Environment, userCacheFolder } from '../platform/environment.ts';
import { inTurn } from '../platform/streams.ts';
import { maxBytes, maxBytesOfAnyFormat } from '../reading/max-bytes.ts';
import { isAddress } from '../settings/check-project-file.ts';
import type { Settings } from '../settings/settings.ts';
import { isReceiving } from '../streaming/received-database.ts';
import { createReceivedSource } from '../streaming/received-source.ts';
import { commitsBehind } from './history/commits-behind.ts';
import { openTranscripts } from './transcripts/open-transcripts.ts';

/**
 * The files of a project, as its settings choose them or as clients sent them, the content that was added to it, and sessions of agents
 * that its user named; for a run also its commits, where the user lets git read them.
 */
export function openSource(
  folder: string,
  settings: Settings,
  environment: Environment,
  commitsToo = false,
): Source {
  const { index, store } = settings;
  const home = environment('HOME') ?? environment('USERPROFILE');
  const maxFileBytes = (uri: string): number => maxBytes(uri, index);
  const options: LocalSourceOptions = {
    root: folder,
    roots: index.roots,
    storeFolders: storeFolders(folder, store),
    include: index.include,
    exclude: index.exclude,
    maxFileBytes,
    maxBytesOfAnyFormat: maxBytesOfAnyFormat(index),
    useGitignore: index.gitignore,
    environment,
    readsPictures: () => hasRecogniser(userCacheFolder(environment)),
    ...(home && { home }),
  };
  const isLocal = !isReceiving(folder, environment);
  const files = isLocal ? createLocalSource(options) : createReceivedSource(folder, maxFileBytes);
  const added = createKeptSource({ folder, environment });
  const sessions = openTranscripts(folder, { store }, environment);
  const hasHistory = commitsToo && isLocal && store.driver !== 'mock';
  const history = hasHistory ? commitsBehind(options, settings, environment) : undefined;
  return {
    ...files,
    scan(scanOptions) {
      // Where nothing is kept, every run would read every file in vain.
      if (store.driver === 'mock') return nothing();
      const found = files.scan(scanOptions);
      const ends = history?.scan(found, scanOptions);
      return inTurn(
        ends?.files ?? (() => found),
        () => added.scan(scanOptions),
        () => sessions.scan(scanOptions),
        ends?.commits ?? nothing,
      );
    },
    read(uri) {
      if (history && isCommit(uri)) return history.read(uri);
      return (isVirtual(uri) ? added : isConversation(uri) ? sessions : files).read(uri);
    },
  };
}

async function* nothing(): AsyncGenerator<never> {}

/** The folder that the settings name for the index; the state folder is left out anyway. */
function storeFolders(folder: string, { url }: Settings['store']): string[] {
  return url === undefined || isAddress(url) ? [] : [resolve(folder, url)];
}
