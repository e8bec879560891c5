import { z } from 'zod';
import { QuarryError } from '../../core/errors.ts';
import { parseSettingText } from '../../core/settings/setting-text.ts';
import { shownSetting } from '../../core/settings/shown-setting.ts';
import { beginningOf } from '../../core/text/shortened.ts';
import { retiredField, retiredIn } from '../index/retired.ts';
import { untrustedField, untrustedIn } from '../index/untrusted.ts';
import { defineOperation } from '../operation.ts';

/** Shows every setting with its value and where it was decided. */
export const configOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  input: z.strictObject({
    schema: z.boolean().default(false).describe('Also give the JSON Schema of each setting.'),
  }),
  output: z.object({
    folder: z.string(),
    revision: z.string().describe('Names the text of quarry.toml; `config set` takes it.'),
    settings: z.array(
      z.object({
        key: z.string(),
        value: z.unknown().optional().describe('The value with its own type; absent where it is not set.'),
        layer: z.string(),
        origin: z.string(),
        description: z.string(),
        schema: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
    ...retiredField,
  }),
  examples: [{ input: {}, explains: 'all settings, and which file or variable decided each' }],
  async *run(project, { schema: withSchema }) {
    const { settingFields } = await import('../../settings/settings.ts');
    const { readSettingsText, revisionOf } = await import('../../settings/change-settings.ts');
    const settings = settingFields().map(({ key, description, schema }) => {
      const value = valueAt(project.settings, key);
      const origin = project.origins.get(key);
      return {
        key,
        ...(value !== undefined && {
          value: shownSetting(key, value),
        }),
        layer: origin?.layer ?? 'default',
        origin: origin?.place ?? 'default',
        description,
        ...(withSchema && { schema: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) }),
      };
    });
    const revision = revisionOf(await readSettingsText(project.folder));
    return { folder: project.folder, revision, settings, ...retiredIn(project) };
  },
});

/** Changes settings in the project's file. Only the owner may: settings decide which files are read. */
export const configSetOperation = defineOperation({
  effect: 'writes',
  reach: 'owner',
  positionals: ['changes'],
  input: z.strictObject({
    changes: z
      .array(z.string())
      .default([])
      .describe('Settings with their new values (KEY=VALUE); a list as `a,b` or `["a", "b"]`.'),
    unset: z
      .array(z.string())
      .default([])
      .describe('Take this setting out of the file, so that its default counts; may be repeated.'),
    preview: z.boolean().default(false).describe('Only show what would be written.'),
    revision: z
      .string()
      .optional()
      .describe('Change the file only if it is still as `config show` has named it.'),
  }),
  output: z.object({
    file: z.string(),
    written: z.boolean(),
    before: z.string().describe('The text of the file before.'),
    after: z.string(),
    revision: z.string().describe('Names the text after the change.'),
    ...untrustedField,
    ...retiredField,
    needs: z
      .array(z.enum(['scan', 'cut', 'embed']))
      .describe(
        'What the next run does because of it: list files again, cut documents again, make vectors again.',
      ),
  }),
  examples: [
    { input: { changes: ['search.top_k=10'] }, explains: 'set a value; comments and order of the file stay' },
    {
      input: { changes: ['index.exclude=["drafts/", "*.bak"]'], preview: true },
      explains: 'see what would be written',
    },
    { input: { unset: ['search.top_k'] }, explains: 'go back to the default' },
  ],
  async *run(project, { changes, unset, preview, revision }) {
    const { changeSettings } = await import('../../settings/change-settings.ts');
    const { configFileName } = await import('../../settings/config-file-name.ts');
    const notices: string[] = [];
    const wanted = new Map([
      ...(await valuesOf(changes, notices)),
      ...unset.map((key): [string, undefined] => [key, undefined]),
    ]);
    if (wanted.size === 0 && notices.length === 0)
      throw new QuarryError('usage-invalid', 'No setting is named.', 'Name one: search.top_k=10');
    const { needs, untrusted, retired, ...change } = await changeSettings(
      project.folder,
      project.settings,
      wanted,
      {
        preview,
        revision,
      },
    );
    const written = !preview && change.before !== change.after;
    return {
      file: configFileName,
      written,
      ...change,
      needs: [...needs],
      ...untrustedIn({ untrusted }),
      ...retiredIn({ retired: [...notices, ...retired] }),
    };
  },
});

/**
 * Settings with their new values, as a person writes them: KEY=VALUE. What is written under a name of the version before
 * gets its name of today, or is left out; `notices` says so.
 */
export async function valuesOf(
  changes: readonly string[],
  notices: string[] = [],
): Promise<[string, unknown][]> {
  const { settingAt, settingFields } = await import('../../settings/settings.ts');
  const { asOfToday } = await import('../../settings/retired-settings.ts');
  const fields = new Map(settingFields().map((field) => [field.key, field]));
  return changes.flatMap((change): [string, unknown][] => {
    const [, written = '', text = ''] = /^([^=]+)=(.*)$/s.exec(change) ?? [];
    const now = asOfToday(written.trim(), text, 'The change', notices);
    if (!now) return [];
    const place = settingAt(now.key, fields);
    if (place) return [[now.key, parseSettingText(place.schema, String(now.value))]];
    if (!change.includes('=') && settingAt(change, fields))
      throw new QuarryError(
        'usage-invalid',
        `"${change}" has no value.`,
        `Write both in one word: ${change}=VALUE`,
      );
    throw new QuarryError(
      'usage-invalid',
      `"${beginningOf(change, 80)}" names no setting.`,
      'Write KEY=VALUE with a key that `quarry config show` lists.',
    );
  });
}

function valueAt(settings: object, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((table, part) => (table as Record<string, unknown> | undefined)?.[part], settings);
}
