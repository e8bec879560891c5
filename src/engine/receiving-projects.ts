import { QuarryError } from '../core/errors.ts';
import { defaultLimits } from '../streaming/protocol.ts';
import type { ReceiveParts } from '../streaming/receive-files.ts';
import { defaultPatience } from '../streaming/receive-files.ts';
import { createReceiving } from '../streaming/receiving.ts';
import { createSlots } from '../streaming/slots.ts';
import { type ProjectEntry, requireProjectId } from '../user/project-entry.ts';

/** Clients whose files are received at once; more of them wait, so that memory stays bounded. */
const maxAtOnce = 16;

/** Receives the files of projects that have no folder of their own. */
export interface ReceivingProjects
  extends Pick<ReceiveParts, 'receiving' | 'slots' | 'limits' | 'patience' | 'folderOf'> {
  isBusy(): boolean;
  close(): Promise<void>;
}

/** How files are received, where it differs from the usual. */
export type ReceivingOptions = {
  readonly [Part in 'limits' | 'patience']?: Partial<ReceiveParts[Part]>;
};

/** Nothing is received yet. `find` gives a known project, `register` makes one that receives its files. */
export function createReceivingProjects(
  options: ReceivingOptions,
  find: (id: string) => Promise<ProjectEntry | undefined>,
  register: (id: string) => Promise<ProjectEntry>,
): ReceivingProjects {
  const receiving = createReceiving();
  const slots = createSlots(maxAtOnce);
  return {
    receiving,
    slots,
    limits: { ...defaultLimits, ...options.limits },
    patience: { ...defaultPatience, ...options.patience },
    async folderOf(id) {
      requireProjectId(id);
      const { files, folder } = (await find(id)) ?? (await register(id));
      if (files === 'streamed') return folder;
      throw new QuarryError(
        'usage-invalid',
        files === 'remote'
          ? `The project "${id}" keeps an index that its clients make, and no files.`
          : `The project "${id}" has a folder of its own on the server.`,
        'Push to a project of another name.',
      );
    },
    isBusy: () => slots.isBusy(),
    close: () => receiving.close(),
  };
}
