import type { z } from 'zod';
import type { ChunkSketches } from './chunk-sketches.ts';
import type { Embedder } from './embedder.ts';
import type { LeaseRecord } from './leases.ts';
import type { StoreIndexes } from './store.ts';

/** What a driver may ask of the process that opens it. */
export interface DriverContext {
  /** Folder for the project's own state; exists where a store is opened. */
  readonly stateFolder: string;
  /** Folder for what all projects of the user share and what can be created again; may not exist yet. */
  readonly cacheFolder: string;
  /** Resources that a project may use; absent means all of the machine. */
  readonly resources?: {
    readonly memoryBytes: number;
    readonly threads: number;
    /** How long a server of a model may leave a request without an answer, where the user has set it. */
    readonly timeoutSeconds?: number | undefined;
  };
  /** Reads a variable of the environment, the only place that keys come from. */
  readonly environment: (name: string) => string | undefined;
  /** The user's key: what a store keeps in a folder that others can write is proven with it. */
  readonly ownKey: () => Promise<Uint8Array>;
  /** The variable that holds the key of a custom server, where it is not the default one. */
  readonly keyVariable?: string;
  /** Opens the project's embedder, for a driver that uses its vectors; absent where there is none. */
  readonly embedder?: () => Promise<Embedder>;
  /** Sketches of the project's chunks, where its embedder makes any. */
  readonly sketches?: () => Promise<ChunkSketches | undefined>;
  /**
   * Fails with `consent-missing` unless the project's text may go to this address, by the local socket where one is given: the
   * user has agreed, or a process of the user answers there. Asked again right before something is sent.
   */
  readonly requireConsent: (address: URL, socket?: string) => Promise<void>;
}

/** An implementation of a contract: importing it is cheap, opening it loads what it needs. */
export interface Driver<Instance, Schema extends z.ZodType = z.ZodType> {
  /** The name used in settings. */
  readonly name: string;
  /** One sentence for the reference page. */
  readonly summary: string;
  readonly options: Schema;
  /** Packages that must be installed for it to open. */
  readonly requires: readonly string[];
  open(options: z.output<Schema>, context: DriverContext): Promise<Instance>;
  /** The record of a lease that a store keeps; where absent, it is a file in the state folder. */
  lease?(options: z.output<Schema>, context: DriverContext, name: string): Promise<LeaseRecord>;
  /** The list of indexes that a store brings; where absent, folders in the state folder are the indexes. */
  indexes?(options: z.output<Schema>, context: DriverContext): Promise<StoreIndexes>;
  /** The folder of this machine that an index of this name is, where it is not the one in the state folder. */
  indexFolder?(options: z.output<Schema>, context: DriverContext, name: string): string | undefined;
}

/** Declares a driver with its option types inferred from its schema. */
export function defineDriver<Instance, Schema extends z.ZodType>(
  driver: Driver<Instance, Schema>,
): Driver<Instance, Schema> {
  return driver;
}
