import { z } from 'zod';

/** What operations say of settings that came with a folder and are left out. */
export const untrustedField = {
  untrusted: z
    .array(z.string())
    .optional()
    .describe(
      'Settings of the project file that lower protection and do not count, since you have not agreed to them: `quarry trust give`.',
    ),
};

/** The field, where there are any. */
export function untrustedIn({ untrusted }: { readonly untrusted: readonly string[] }): {
  untrusted?: string[];
} {
  return untrusted.length > 0 ? { untrusted: [...untrusted] } : {};
}
