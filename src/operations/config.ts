import { z } from 'zod';
import { settingToText } from '../core/setting-text.ts';
import { defineOperation } from './operation.ts';

/** Settings whose value is never shown. */
const secretKeys: ReadonlySet<string> = new Set(['store.api_key']);

/** Shows every setting with its value and where it was decided. */
export const configOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  input: z.strictObject({}),
  output: z.object({
    folder: z.string(),
    settings: z.array(
      z.object({
        key: z.string(),
        value: z.unknown().optional().describe('The value with its own type; absent where it is not set.'),
        layer: z.string(),
        origin: z.string(),
        description: z.string(),
      }),
    ),
  }),
  examples: [{ input: {}, explains: 'all settings, and which file or variable decided each' }],
  async *run(project) {
    const { settingFields } = await import('../project/settings/settings.ts');
    const settings = settingFields().map(({ key, description }) => {
      const value = valueAt(project.settings, key);
      const origin = project.origins.get(key);
      return {
        key,
        ...(value !== undefined && {
          value: secretKeys.has(key) ? '(hidden)' : JSON.parse(settingToText(value)),
        }),
        layer: origin?.layer ?? 'default',
        origin: origin?.place ?? 'default',
        description,
      };
    });
    return { folder: project.folder, settings };
  },
});

function valueAt(settings: object, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((table, part) => (table as Record<string, unknown> | undefined)?.[part], settings);
}
