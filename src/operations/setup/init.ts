import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { defineOperation } from '../operation.ts';

/** Files that only a folder with code has. */
const codeManifests = [
  'package.json',
  'pyproject.toml',
  'setup.py',
  'Cargo.toml',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'CMakeLists.txt',
  'Makefile',
  'composer.json',
  'Gemfile',
  'Package.swift',
  'mix.exs',
];

/** Writes settings to start from. */
export const initOperation = defineOperation({
  effect: 'writes',
  reach: 'project',
  input: z.strictObject({}),
  output: z.object({
    file: z.string().describe('The file that was written.'),
    preset: z.enum(['code']).optional().describe('The preset that was chosen, by what is in the folder.'),
  }),
  examples: [{ input: {}, explains: 'settings for this folder, to be edited' }],
  async *run(project) {
    const { configFileName } = await import('../../settings/config-file-name.ts');
    const preset = (await hasCode(project.folder)) ? ('code' as const) : undefined;
    const file = join(project.folder, configFileName);
    await writeFile(file, settingsText(preset), { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === 'EEXIST'
        ? new QuarryError('usage-invalid', `There is a ${file} already.`, 'Edit it, or remove it first.')
        : new QuarryError(
            'machine-failed',
            `${file} cannot be written: ${messageOf(cause)}.`,
            'Make the folder writable.',
            { cause },
          );
    });
    return { file, ...(preset && { preset }) };
  },
});

async function hasCode(folder: string): Promise<boolean> {
  const found = await Promise.allSettled(codeManifests.map((name) => access(join(folder, name))));
  return found.some(({ status }) => status === 'fulfilled');
}

function settingsText(preset: 'code' | undefined): string {
  return `# Settings of Quarry for this folder. What holds now, and where it comes from: quarry config show
# Remove the "# " before a line to use it.

# Starting values for a kind of folder: code, knowledge, governance or memory.
${preset ? `preset = "${preset}"` : '# preset = "knowledge"'}

[index]
# Left out in addition to what .gitignore and .quarryignore leave out, in their syntax.
exclude = ["*.min.*", "*.snap"]
# Only these files.
# include = ["docs/**", "src/**"]

[search]
# Hits that a search returns.
# top_k = 10
# Hits below this relevance are not returned.
# threshold = 0.1

# Names for your own kinds of documents, to search with --type.
# [types]
# decision = ["docs/decisions/**"]

# Leave out what is older than this many days.
# [max_age_days]
# log = 30
`;
}
