import { basename } from 'node:path';
import { z } from 'zod';
import { defineDriver } from '../../../contracts/driver.ts';
import type { Fences, LeaseRecord } from '../../../contracts/leases.ts';
import type {
  PatternSearch,
  SearchPreparation,
  SearchPreparing,
  Store,
  StoreDefect,
  StoreIndexes,
  StructureCheck,
} from '../../../contracts/store.ts';
import {
  encodeArguments,
  fencesSchema,
  knownLeaseSchema,
  type StoreCallName,
  storeCallNames,
  storeCalls,
} from '../../../contracts/store-calls.ts';
import { QuarryError } from '../../../core/errors.ts';
import { systemClock } from '../../../platform/clock.ts';
import { closedStore } from '../closed-store.ts';
import { type KeepingServer, keepingServer } from './server.ts';

const options = z.strictObject({
  url: z.string().describe('Address of the Quarry server.'),
  collection: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, 'is 1 to 64 letters, digits, ".", "_" or "-"')
    .describe('The name of the project on that server.'),
  api_key: z.string().optional().describe('The token; best kept in QUARRY_STORE_API_KEY.'),
});

/** Longest wait for a look at a whole file: no answer of a server takes longer. */
const structureSeconds = 600;
/** Milliseconds between two questions how far the server is. */
const askAgainAfter = 1000;

/** Another Quarry server keeps the index: texts are read, cut and embedded here. */
export default defineDriver<Store, typeof options>({
  name: 'remote',
  summary: 'Another Quarry server keeps the index; files are read, cut and embedded on this machine.',
  options,
  requires: [],
  async open(given, context) {
    return remoteStore(keepingServer(given, context), basename(context.stateFolder));
  },
  lease: async (given, context, name) => remoteLease(keepingServer(given, context), name),
  indexes: async (given, context) => remoteIndexes(keepingServer(given, context)),
});

type RemoteStore = Store & PatternSearch & SearchPreparing & StructureCheck;

/** The index of this name on the server. */
function remoteStore(server: KeepingServer, index: string): RemoteStore {
  let isClosed = false;
  const perform = async (
    name: StoreCallName,
    given: readonly unknown[],
    options?: Parameters<KeepingServer['ask']>[2],
  ): Promise<unknown> => {
    if (isClosed) throw closedStore();
    const body = { arguments: encodeArguments(name, given) };
    const { result } = (await server.ask(`/indexes/${index}/${name}`, body, options)) as { result?: unknown };
    const parsed = storeCalls[name].output.safeDecode((result ?? null) as never);
    if (!parsed.success) throw misunderstood(name);
    return parsed.data ?? undefined;
  };
  const calls = Object.fromEntries(
    storeCallNames.map((name) => [name, (...given: unknown[]) => perform(name, given)]),
  );
  return {
    // The table of calls has every method of the core, each with the schemas of its own arguments and result.
    ...(calls as unknown as RemoteStore),
    async *checkStructure({ signal } = {}) {
      const given = { signal, timeoutSeconds: structureSeconds };
      yield* (await perform('checkStructure', [], given)) as StoreDefect[];
    },
    async *prepareSearch(space, { signal } = {}) {
      for (;;) {
        const state = await perform('prepareSearch', [space], { signal });
        if (state === undefined) return;
        yield state as SearchPreparation;
        await systemClock.wait(askAgainAfter, signal);
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      server.close();
    },
  };
}

function remoteIndexes(server: KeepingServer): StoreIndexes {
  const ask = async (body: object) =>
    (await server.ask('/indexes', body)) as { current?: string; names: string[] };
  /** Who has lost its lease changes nothing any more. */
  const change = (body: object, fences: Fences | undefined) =>
    ask({ ...body, ...(fences && { fences: z.encode(fencesSchema, fences) }) });
  return {
    current: async () => (await ask({})).current,
    names: async () => (await ask({})).names,
    async switchTo(name, fences) {
      await change({ current: name }, fences);
    },
    async remove(names, fences) {
      if (names.length > 0) await change({ remove: names }, fences);
    },
  };
}

const leaseAnswer = z.object({
  lease: knownLeaseSchema.nullable().optional(),
  replaced: z.boolean().optional(),
});

/** A lease that the server keeps, so that writers on several machines are kept apart. */
function remoteLease(server: KeepingServer, name: string): LeaseRecord {
  const ask = async (body: object) => {
    const answer = leaseAnswer.safeParse(await server.ask(`/locks/${encodeURIComponent(name)}`, body));
    if (!answer.success) throw misunderstood('lock');
    return answer.data;
  };
  return {
    read: async () => (await ask({})).lease ?? undefined,
    replace: async (expected, state) =>
      (await ask({ expected: expected ?? null, ...state })).replaced === true,
    close: async () => server.close(),
  };
}

function misunderstood(name: string): QuarryError {
  return new QuarryError(
    'version-mismatch',
    `The answer of the server to "${name}" is not understood.`,
    'Install the same version of Quarry on both machines.',
  );
}
