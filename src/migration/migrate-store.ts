import { hostname } from 'node:os';
import { keepStored } from '../added/stored-content.ts';
import type { Store } from '../contracts/store.ts';
import { asQuarryError, QuarryError } from '../core/errors.ts';
import type { IndexEvent, MigrationEvent } from '../core/events.ts';
import { notIndexed } from '../core/failures/not-indexed.ts';
import { projectDisabled } from '../core/failures/project-disabled.ts';
import { sha256 } from '../core/identity.ts';
import { counted } from '../core/text/counted.ts';
import { prepareSearch } from '../index/prepare-search.ts';
import { setFact } from '../index/write.ts';
import { createDriverContext } from '../opening/driver-context.ts';
import { hasOwnLeases, isLocalStore, isVectorEngine } from '../opening/open-driver.ts';
import { closeAll } from '../platform/close-all.ts';
import type { Environment } from '../platform/environment.ts';
import { once } from '../platform/once.ts';
import { createProjectIndex, type ProjectIndex } from '../runs/indexes/project-index.ts';
import type { SettingLayer } from '../settings/config.ts';
import { driverResources } from '../settings/resources.ts';
import type { Settings } from '../settings/settings.ts';
import { ensureStateFolder, hasStateFolder } from '../state-folder/state-folder.ts';
import { type Agreement, askBoth } from './ask-both.ts';
import { type Comparison, compareIndexes } from './compare-indexes.ts';
import { type CopyCounts, copyIndex, unfinishedFact } from './copy-index.ts';
import { refuseConversations } from './refuse-conversations.ts';
import { isSameData } from './same-data.ts';

/** Copies that are made of a source which changes meanwhile. */
const maxRounds = 5;
/** The least share of nearest chunks that both indexes must agree on: a graph of vectors may miss some. */
const minAgreement = 0.9;

/** The two ends of a migration. */
export interface MigrationParts {
  readonly folder: string;
  readonly environment: Environment;
  readonly source: StoreEnd;
  readonly target: StoreEnd;
}

/** Settings that name a store, and where its address was written. */
export interface StoreEnd {
  readonly settings: Settings;
  readonly addressLayer: SettingLayer;
}

/** How an index is migrated. */
export interface MigrationOptions {
  /** Whether a target that holds another index may be overwritten. */
  readonly replace: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What a migration came to. */
export interface Migration extends CopyCounts, Pick<Comparison, 'documents' | 'chunks' | 'spaces'> {
  readonly agreement: Agreement;
}

type Events = AsyncGenerator<MigrationEvent | IndexEvent, Migration>;

/**
 * Copies the index of a project into another store, without embedding again, and compares both. The source is only read,
 * and nobody writes it meanwhile. A copy that was cut off is continued by the next call.
 */
export async function* migrateStore(parts: MigrationParts, { replace, signal }: MigrationOptions): Events {
  const { folder, source, target } = parts;
  if (!source.settings.enabled) throw projectDisabled(folder);
  if (!hasStateFolder(folder)) throw notIndexed();
  if (isSameStore(source.settings, target.settings)) throw sameStore(source.settings);
  const [from, to] = [openEnd(parts, source), openEnd(parts, target)];
  try {
    // Stores without leases of their own share the files of the project.
    const targetLock = (await hasOwnLeases(source.settings)) || (await hasOwnLeases(target.settings));
    return yield* alone(from.index, signal, () => {
      const work = () => migrate(parts, from.index, to.index, { replace, signal });
      return targetLock ? alone(to.index, signal, work) : work();
    });
  } finally {
    await closeAll([from.index, to.index]);
  }
}

async function* migrate(
  { folder, environment, target: { settings } }: MigrationParts,
  from: ProjectIndex,
  to: ProjectIndex,
  { replace, signal }: MigrationOptions,
): Events {
  const source = await from.store();
  // Added content whose file was lost is in the index alone: it is kept before anything else looks at it.
  await keepStored({ folder, environment }, source);
  await refuseConversations(source, settings);
  const name = settings.store.driver;
  try {
    const target = await to.store();
    await claim(target, folder, { name, replace: replace || isLocalStore(settings) });
    const { counts, comparison } = yield* copyUntilEqual(source, target, signal);
    yield* prepareSearch(target, { inBackground: false, signal });
    const agreement = await askBoth(source, target);
    if ((agreement.vectors ?? 1) < minAgreement) throw unequal([agreementText(agreement)]);
    await setFact(target, unfinishedFact, undefined);
    const { documents, chunks, spaces } = comparison;
    return { ...counts, documents, chunks, spaces, agreement };
  } catch (thrown) {
    throw continuable(asQuarryError(thrown), name);
  }
}

/** Copies and compares, once more as often as the source has changed meanwhile or documents were not equal. */
async function* copyUntilEqual(
  source: Store,
  target: Store,
  signal: AbortSignal | undefined,
): AsyncGenerator<MigrationEvent, { readonly counts: CopyCounts; readonly comparison: Comparison }> {
  const total = { copied: 0, present: 0, removed: 0, addedVectors: 0 };
  let again: ReadonlySet<string> | undefined;
  for (let round = 1; round <= maxRounds; round += 1) {
    const revision = (await source.state()).revision;
    const counts = yield* copyIndex(source, target, { signal, again });
    total.copied += counts.copied;
    if (round === 1) total.present = counts.present;
    total.removed += counts.removed;
    total.addedVectors += counts.addedVectors;
    const comparison = yield* compareIndexes(source, target, signal);
    const { unlike, miscounts } = comparison;
    const isUnchanged = (await source.state()).revision === revision;
    if (isUnchanged && unlike.length === 0 && miscounts.length === 0) return { counts: total, comparison };
    // What was copied twice and is not equal will not be with the third time either.
    if (isUnchanged && again !== undefined) throw unequal([...miscounts, ...unlike]);
    again = isUnchanged ? new Set(unlike) : undefined;
  }
  throw new QuarryError(
    'store-busy',
    'The index was changed by another program each time it had been copied.',
    'Stop what writes it, then run the same command again: what has arrived is not copied again.',
  );
}

/** Marks the target as a copy of this project's index; one that holds another index is only taken with `replace`. */
async function claim(
  target: Store,
  folder: string,
  { name, replace }: { readonly name: string; readonly replace: boolean },
): Promise<void> {
  const mark = sha256(`${hostname()}\n${folder}`).slice(0, 32);
  if ((await target.state()).facts.get(unfinishedFact) === mark) return;
  const { length: documents } = await target.paths();
  if (documents > 0 && !replace)
    throw new QuarryError(
      'store-occupied',
      `The store "${name}" holds an index of ${counted(documents, 'document')} already.`,
      'Name another place for the copy (collection=NAME), or overwrite that index with --replace.',
    );
  await setFact(target, unfinishedFact, mark);
}

/** An end of the migration; nothing is opened yet. */
export function openEnd(
  { folder, environment }: Pick<MigrationParts, 'folder' | 'environment'>,
  { settings, addressLayer }: StoreEnd,
) {
  const context = once(async () =>
    createDriverContext({
      folder,
      stateFolder: await ensureStateFolder(folder),
      environment,
      resources: driverResources(settings),
      addressLayer,
      consent: [],
    }),
  );
  const prepare = async () => {
    await ensureStateFolder(folder);
  };
  return { context, index: createProjectIndex(settings, context, prepare) };
}

/** Work that nobody else may disturb by writing text or vectors. */
export function alone<Event, Result>(
  index: ProjectIndex,
  signal: AbortSignal | undefined,
  work: () => AsyncGenerator<Event, Result>,
): AsyncGenerator<Event | IndexEvent, Result> {
  const options = { wait: true, signal };
  return index.makingVectors(options, () => index.writing(options, work));
}

function isSameStore(one: Settings, other: Settings): boolean {
  if (isLocalStore(one) && isLocalStore(other)) return one.store.driver === other.store.driver;
  return isSameData(one.store, other.store);
}

function sameStore(settings: Settings): QuarryError {
  const { store } = settings;
  if (isVectorEngine(settings))
    return new QuarryError(
      'usage-invalid',
      `The index of the store "${store.driver}" is in this folder; only its vectors are on the server.`,
      'Set store.url to the other server and run quarry index: vectors come from the cache.',
    );
  return new QuarryError(
    'usage-invalid',
    `The index is in the store "${store.driver}" with these settings already.`,
    'Name another one with --to, or another place in it: --to remote url=URL collection=NAME',
  );
}

function unequal(differences: readonly string[]): QuarryError {
  const shown = differences.slice(0, 3).join('; ');
  const more = differences.length > 3 ? `, and ${differences.length - 3} more` : '';
  return new QuarryError(
    'store-occupied',
    `The copy is not equal to the index: ${shown}${more}.`,
    'Keep the store in use, run quarry verify, and report it if that finds nothing.',
  );
}

function agreementText({ vectors = 0, questions }: Agreement): string {
  return `${Math.round(vectors * 100)} % of the nearest chunks to ${questions} questions agree`;
}

/** The same failure; its remedy says that nothing is lost, and how to continue. */
function continuable(error: QuarryError, name: string): QuarryError {
  if (['interrupted', 'store-occupied', 'consent-missing', 'internal'].includes(error.code)) return error;
  return new QuarryError(
    error.code,
    `Copying to the store "${name}" has stopped: ${error.message}`,
    `${error.remedy} The index in use is untouched; the same command continues where this one stopped.`,
    { cause: error },
  );
}
