import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, relative, resolve } from 'node:path';
import { z } from 'zod';
import { messageOf, QuarryError } from '../../../core/errors.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { containedPath } from '../../../platform/contained-path.ts';
import { processEnvironment } from '../../../platform/environment.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { readOwnFile } from '../../../platform/own-files.ts';
import { programFile } from '../../../platform/package-folder.ts';
import { realPath } from '../../../platform/real-path.ts';
import { writeDurably } from '../../../platform/write-durably.ts';
import {
  type InstallPlace,
  type InstallScope,
  type McpClient,
  mcpClients,
  type ServerCommand,
} from './clients.ts';
import { editSettings } from './edit-settings.ts';

/** Bytes of the largest settings that are edited. */
const maxBytes = 2 ** 26;

const names = mcpClients.map(({ name }) => name) as [string, ...string[]];

/** Writes the settings by which editors and agents start `quarry mcp`. */
export const mcpInstallCommand = defineOperation({
  effect: 'writes',
  reach: 'machine',
  standsAlone: true,
  positionals: ['clients'],
  input: z.strictObject({
    clients: z
      .array(z.enum(names))
      .default([])
      .describe(`Programs to set up (${names.join(', ')}); without any, all that are found here.`),
    scope: z
      .enum(['user', 'project'])
      .default('user')
      .describe('For you in every project, or in a file of this project that others get too.'),
    folder: z.string().default('.').describe('The project.'),
    remove: z.boolean().default(false).describe('Take the settings out again.'),
    dry_run: z.boolean().default(false).describe('Change nothing; show what would be written.'),
  }),
  output: z.object({
    results: z.array(
      z.object({
        client: z.string(),
        file: z.string(),
        change: z.enum(['added', 'changed', 'unchanged', 'removed', 'absent']),
        backup: z.string().optional().describe('A copy of the file as it was.'),
        text: z.string().optional().describe('What would be written; with `dry_run`.'),
      }),
    ),
    dry_run: z.boolean(),
  }),
  examples: [
    { input: {}, explains: 'set up every editor and agent that is found' },
    { input: { clients: ['cursor', 'claude-code'] }, explains: 'only these' },
    { input: { clients: ['vscode'], scope: 'project' }, explains: 'for everyone who opens this project' },
    { input: { dry_run: true }, explains: 'see what would be written' },
    { input: { remove: true }, explains: 'take it out again' },
  ],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run(_, input) {
    const place: InstallPlace = {
      platform: process.platform,
      home: processEnvironment('HOME') ?? homedir(),
      folder: resolve(input.folder),
      environment: processEnvironment,
    };
    const chosen = await chooseClients(input.clients, input.scope, place);
    const results = [];
    for (const { client, file } of chosen) results.push(await setUp(client, file, input, place));
    return { results, dry_run: input.dry_run };
  },
});

interface Chosen {
  readonly client: McpClient;
  readonly file: string;
}

/** The named clients, or those whose settings folder is there. */
async function chooseClients(
  wanted: readonly string[],
  scope: InstallScope,
  place: InstallPlace,
): Promise<Chosen[]> {
  const all = mcpClients.flatMap((client) => {
    const file = client.file(scope, place);
    return file === undefined ? [] : [{ client, file }];
  });
  if (wanted.length > 0)
    return wanted.map((name) => {
      const chosen = all.find(({ client }) => client.name === name);
      if (chosen) return chosen;
      throw new QuarryError(
        'usage-invalid',
        `${name} has no settings in a project.`,
        'Leave out --scope project.',
      );
    });
  const isThere = await Promise.all(
    all.map(({ file }) => exists(file).then((found) => found || isOwnFolder(file, place))),
  );
  const found = all.filter((_, at) => isThere[at]);
  if (found.length > 0) return found;
  throw new QuarryError(
    'usage-invalid',
    'No editor or agent that can be set up is found here.',
    `Name one: ${names.join(', ')}.`,
  );
}

/** Whether the folder of a settings file is there and belongs to the client alone. */
async function isOwnFolder(file: string, { home, folder }: InstallPlace): Promise<boolean> {
  const parent = dirname(file);
  return parent !== home && parent !== folder && (await exists(parent));
}

async function setUp(
  client: McpClient,
  file: string,
  { scope, remove, dry_run }: { scope: InstallScope; remove: boolean; dry_run: boolean },
  { folder }: InstallPlace,
) {
  const real = await realFile(file, scope, folder);
  const previous = readText(real);
  const entry = remove ? undefined : client.entry(commandOf(client, scope, folder));
  const text = editSettings(previous ?? '', client, entry, file);
  const isSame = text === (previous ?? '');
  const had = previous !== undefined && editSettings(previous, client, undefined, file) !== previous;
  const change = isSame
    ? remove
      ? ('absent' as const)
      : ('unchanged' as const)
    : remove
      ? ('removed' as const)
      : had
        ? ('changed' as const)
        : ('added' as const);
  const result = { client: client.name, file, change };
  if (isSame || dry_run) return { ...result, ...(dry_run && !isSame && { text }) };
  const backup = `${file}.before-quarry`;
  try {
    await makeFolder(dirname(real));
    // What only its owner may read stays so.
    const mode = previous === undefined ? 0o600 : (await stat(real)).mode & 0o777;
    if (previous !== undefined) await writeDurably(backup, previous, mode);
    await writeDurably(real, text, mode);
  } catch (cause) {
    throw new QuarryError(
      'file-unreadable',
      `${file} cannot be written: ${messageOf(cause)}.`,
      'Check its rights.',
      {
        cause,
      },
    );
  }
  return { ...result, ...(previous !== undefined && { backup }) };
}

/** Absolute paths for the user: editors with windows know no PATH of a shell. Others who open a project have their own install. */
function commandOf({ needsFolder }: McpClient, scope: InstallScope, folder: string): ServerCommand {
  if (scope === 'project') return { command: 'npx', args: ['--no-install', 'quarry', 'mcp'] };
  return { command: process.execPath, args: [programFile(), 'mcp', ...(needsFolder ? [folder] : [])] };
}

/** A link of the user to a file elsewhere stays a link; one that came with a folder must not have that file written. */
async function realFile(file: string, scope: InstallScope, folder: string): Promise<string> {
  // Not there yet: it is made where it is named.
  if (scope === 'user') return realPath(file).catch(() => file);
  return containedPath(folder, relative(folder, file).replaceAll('\\', '/'));
}

function readText(file: string): string | undefined {
  try {
    return readOwnFile(file, { maxBytes: maxBytes, ofAnyone: true })?.toString();
  } catch (cause) {
    if (cause instanceof QuarryError) throw cause;
    throw new QuarryError(
      'file-unreadable',
      `${file} cannot be read: ${messageOf(cause)}.`,
      'Check its rights.',
      {
        cause,
      },
    );
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    // What cannot be looked at counts as absent.
    () => false,
  );
}
