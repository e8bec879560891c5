import { z } from 'zod';

/** What operations say of settings that are written as the version before had them. */
export const retiredField = {
  retired: z
    .array(z.string())
    .optional()
    .describe('Settings under names of the version before, and what became of each.'),
};

/** The field, where there are any. */
export function retiredIn({ retired }: { readonly retired: readonly string[] }): { retired?: string[] } {
  return retired.length > 0 ? { retired: [...retired] } : {};
}
