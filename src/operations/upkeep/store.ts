import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import { QuarryError } from '../../core/errors.ts';
import type { StoreEnd } from '../../migration/migrate-store.ts';
import { processEnvironment } from '../../platform/environment.ts';
import type { Settings } from '../../settings/settings.ts';
import { defineOperation } from '../operation.ts';
import { valuesOf } from '../setup/config.ts';

const count = z.int().min(0);
const share = z.number().min(0).max(1);

/** Copies the index into another store. Only the owner may: it decides where the text of a project is kept. */
export const storeMigrateOperation = defineOperation({
  effect: 'writes',
  reach: 'owner',
  positionals: ['settings'],
  input: z.strictObject({
    to: z.string().min(1).describe('The driver of the other store, as in `store.driver`.'),
    settings: z
      .array(z.string())
      .default([])
      .describe('Settings of the other store (KEY=VALUE, such as url=…), in place of those in [store].'),
    replace: z.boolean().default(false).describe('Overwrite an index that the other store holds.'),
    switch: z.boolean().default(false).describe('Then use the other store: writes [store] in quarry.toml.'),
  }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    documents: count,
    chunks: count,
    spaces: z.array(z.object({ space: z.string(), embedded: count.describe('Chunks with a vector.') })),
    copied: count.describe('Documents that were copied.'),
    present: count.describe('Documents that an earlier call had copied.'),
    removed: count.describe('Documents of the other store that the index does not have.'),
    questions: count.describe('Questions from the corpus that both stores were asked.'),
    text_agreement: share.optional().describe('Share of the ten best chunks by words that are the same.'),
    vector_agreement: share
      .optional()
      .describe('Share of the ten nearest chunks that are as near in the other store.'),
    seconds: z.number().min(0),
    switched: z.boolean(),
    next: z.array(z.string()).describe('Commands by which the other store is used, where any are needed.'),
  }),
  examples: [
    {
      input: { to: 'remote', settings: ['url=http://localhost:8001', 'collection=docs'] },
      explains: 'copy the index to a server; the index in use stays as it is',
    },
    { input: { to: 'sqlite', switch: true }, explains: 'back into one file, and use that from now on' },
  ],
  events: async () => (await import('../../core/events.ts')).migrationEventSchema,
  async *run(project, { to, settings, replace, switch: isSwitch }, { signal }) {
    const { migrateStore } = await import('../../migration/migrate-store.ts');
    const changes = new Map<string, unknown>([
      ['store.driver', to],
      ...(await valuesOf(settings.map((setting) => `store.${setting.replace(/^store\./, '')}`))),
    ]);
    const decided = project.origins.get('store.driver');
    if (isSwitch && decided && ['environment', 'flag'].includes(decided.layer))
      throw cannotSwitch(decided.place);
    const started = performance.now();
    const { folder } = project;
    const [source, target] = await Promise.all([endOf(project, new Map()), endOf(project, changes)]);
    const parts = { folder, environment: processEnvironment, source, target };
    const migration = yield* migrateStore(parts, { replace, signal });
    const { agreement, documents, chunks, spaces, copied, present, removed } = migration;
    if (isSwitch) await switchStore(project, changes);
    return {
      from: source.settings.store.driver,
      to,
      documents,
      chunks,
      spaces: spaces.map(({ space, embedded }) => ({ space, embedded })),
      copied,
      present,
      removed,
      questions: agreement.questions,
      ...(agreement.text !== undefined && { text_agreement: agreement.text }),
      ...(agreement.vectors !== undefined && { vector_agreement: agreement.vectors }),
      seconds: (performance.now() - started) / 1000,
      switched: isSwitch,
      next: await nextCommands(project, target.settings, changes, isSwitch),
    };
  },
});

/** The store that the settings name after these changes, which the caller has made for this call. */
async function endOf(project: Project, changes: ReadonlyMap<string, unknown>): Promise<StoreEnd> {
  const { layerOf } = await import('../../opening/driver-context.ts');
  const { settingsSchema } = await import('../../settings/settings.ts');
  const origins = new Map(project.origins);
  for (const key of changes.keys()) origins.set(key, { layer: 'flag', place: 'the command' });
  const changed = Object.fromEntries([...changes].map(([key, value]) => [key.replace('store.', ''), value]));
  const store = settingsSchema.shape.store.safeParse({ ...project.settings.store, ...changed });
  if (!store.success) throw badSetting(store.error);
  return {
    settings: { ...project.settings, store: store.data },
    addressLayer: layerOf(origins, /^store\.(driver|url)$/),
  };
}

async function switchStore(project: Project, changes: ReadonlyMap<string, unknown>): Promise<void> {
  const { changeSettings } = await import('../../settings/change-settings.ts');
  await changeSettings(project.folder, project.settings, new Map(changes), { preview: false });
}

/** What is left to do before the other store is used. */
async function nextCommands(
  { folder, configFolder }: Project,
  { store, ...others }: Settings,
  changes: ReadonlyMap<string, unknown>,
  isSwitched: boolean,
): Promise<string[]> {
  const { isLocalStore, isVectorEngine } = await import('../../opening/open-driver.ts');
  const { isAgreed, readConsents } = await import('../../user/consent.ts');
  // Keys belong into the environment, and no list of commands shows one.
  const words = [...changes]
    .filter(([key]) => key !== 'store.api_key')
    .map(([key, value]) => `${key}=${value}`);
  const commands = isSwitched ? [] : [`quarry config set ${words.join(' ')}`];
  const settings = { store, ...others };
  const staysHere = isLocalStore(settings) && !isVectorEngine(settings);
  if (staysHere || !/^https?:/.test(store.url ?? '')) return commands;
  const address = new URL(store.url ?? '');
  // What quarry.toml names must be agreed to, wherever it leads: the file may travel.
  if (isAgreed(await readConsents(configFolder), folder, address)) return commands;
  return [...commands, `quarry consent give ${address.origin}`];
}

function badSetting({ issues: [issue] }: z.ZodError): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `store.${issue?.path.join('.')}: ${issue?.message}.`,
    'Write settings of the other store as KEY=VALUE: url=https://search.example.com',
  );
}

function cannotSwitch(place: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `quarry.toml cannot switch the store: ${place} decides which one is used.`,
    'Leave out --switch, and change it there once the index is copied.',
  );
}
