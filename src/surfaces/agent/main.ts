#!/usr/bin/env node
// The standalone agent: one file that sends the files of a folder to a server. It holds no model and no store.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isOnThisMachine, serverInUse } from '../../client/server-address.ts';
import { openServerNames } from '../../client/server-names.ts';
import { asQuarryError, messageOf, QuarryError } from '../../core/errors.ts';
import type { PushEvent } from '../../core/events.ts';
import { shownJson, shownLine } from '../../core/text/shown-text.ts';
import {
  processEnvironment as environment,
  userCacheFolder,
  userConfigFolder,
  variablesWithPrefix,
} from '../../platform/environment.ts';
import { resultOf } from '../../platform/streams.ts';
import { runtimeFault } from '../../platform/supported-runtime.ts';
import { type PushOptions, pushFolder } from '../../push/push-project.ts';
import { watchPush } from '../../push/watch-push.ts';
import { checkRoots } from '../../settings/check-roots.ts';
import { resolveSettings } from '../../settings/config.ts';
import type { Settings } from '../../settings/settings.ts';
import { requireFolder } from '../../state-folder/state-folder.ts';

/** Put there by the build. */
declare const QUARRY_VERSION: string | undefined;

const usage = `Sends the files of a folder to a Quarry server.

Usage: quarry-agent [FOLDER] [--server URL] [--name NAME] [--watch] [--no-gzip]

The server is QUARRY_SERVER where none is given, its token QUARRY_TOKEN. Which files are sent is decided by
quarry.toml, .gitignore and .quarryignore of the folder, as for quarry push; secrets are blacked out first.
`;

async function run(words: readonly string[], signal: AbortSignal): Promise<void> {
  const { values, positionals } = parse(words);
  if (values.help) return void process.stdout.write(usage);
  const fault = runtimeFault();
  if (fault) throw new QuarryError('requirement-missing', fault.message, fault.remedy);
  const server = serverInUse(environment, values.server);
  if (!server) throw misused('No server is named.');
  const folder = resolve(positionals[0] ?? '.');
  await requireFolder(folder);
  const names = openServerNames(environment);
  const project = values.name ?? (await names.nameOf(server.url, folder));
  const options: PushOptions = {
    server,
    project,
    onReceived: () => names.remember(server.url, folder, project),
    gzip: values.gzip ?? !isOnThisMachine(server),
    client: `quarry-agent/${typeof QUARRY_VERSION === 'string' ? QUARRY_VERSION : 'source'}`,
    signal,
  };
  const pushed = { folder, environment, cacheFolder: userCacheFolder(environment) };
  const readSettings = () => settingsOf(folder);
  if (values.watch) {
    const parts = { ...pushed, readSettings, configFolder: userConfigFolder(environment) };
    await resultOf(
      watchPush(parts, options, ({ stats }) => tell(stats)),
      show,
    );
  } else {
    const { stats } = await resultOf(
      pushFolder({ ...pushed, settings: await readSettings() }, options),
      show,
    );
    tell(stats);
  }
}

async function settingsOf(folder: string): Promise<Settings> {
  await requireFolder(folder);
  const resolved = await resolveSettings({
    folder,
    environment,
    variableNames: variablesWithPrefix('QUARRY_'),
    flags: {},
  });
  await checkRoots(folder, resolved);
  return resolved.settings;
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      allowNegative: true,
      options: {
        server: { type: 'string' },
        name: { type: 'string' },
        watch: { type: 'boolean' },
        gzip: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (cause) {
    throw misused(`${messageOf(cause)}.`);
  }
}

/** One line of JSON for what came of a push: programs and people can read it. */
function tell(stats: object): void {
  process.stdout.write(`${shownJson(stats)}\n`);
}

/** What a person should know on the way. */
function show(event: PushEvent): void {
  const line = lineOf(event);
  if (line !== undefined) process.stderr.write(`quarry-agent: ${shownLine(line)}\n`);
}

function lineOf(event: PushEvent): string | undefined {
  switch (event.type) {
    case 'push-waiting':
      return 'another client sends to this project; waiting for it';
    case 'push-interrupted':
      return `${event.error.message} Trying again in ${event.retrySeconds} s.`;
    case 'pass-failed':
      return `${event.error.message} Trying again in ${event.retrySeconds} s.`;
    case 'document-failed':
      return `${JSON.stringify(event.uri)} was not sent: ${event.reason}`;
    case 'path-skipped':
      return event.skipped.reason === 'secret-file'
        ? `${JSON.stringify(event.skipped.uri)} is withheld: ${event.skipped.rule}`
        : undefined;
    default:
      return undefined;
  }
}

function misused(message: string): QuarryError {
  return new QuarryError('usage-invalid', message, 'Run: quarry-agent --help');
}

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
try {
  await run(process.argv.slice(2), stop.signal);
} catch (thrown) {
  const { message, code, remedy, exitCode } = asQuarryError(thrown);
  process.stderr.write(`quarry-agent: ${shownLine(message)} (${code})\n${shownLine(remedy)}\n`);
  process.exitCode = exitCode;
}
