import type { z } from 'zod';
import { isDisabled } from '../../../core/failures/project-disabled.ts';
import { untrustedWords } from '../../../core/failures/untrusted-settings.ts';
import { retiredRemedy } from '../../../core/settings/retired-remedy.ts';
import { counted } from '../../../core/text/counted.ts';
import { shownLine } from '../../../core/text/shown-text.ts';
import type { indexOperation } from '../../../operations/index/index-project.ts';
import type { statusOperation } from '../../../operations/index/status.ts';
import type { configOperation } from '../../../operations/setup/config.ts';
import type { doctorOperation } from '../../../operations/setup/doctor.ts';
import { localTime } from '../terminal/local-time.ts';
import type { Output } from '../terminal/output.ts';
import { renderCorpus } from './overview.ts';

/** Files that are listed; the others are only counted. */
const listedFiles = 10;

/** The summary of a run: files, chunks, what was skipped and why, seconds. */
export function renderIndex(result: z.output<typeof indexOperation.output>, output: Output): void {
  if (isDisabled(result.warnings)) {
    output.note('Nothing was indexed.');
    return;
  }
  const { documents, chunks, skipped, redacted, seconds } = result.summary;
  output.result(
    `${counted(documents.indexed, 'file')} indexed, ${documents.unchanged} unchanged, ${documents.deleted} deleted, ${documents.failed} failed`,
  );
  output.result(
    `${counted(chunks.total, 'chunk')}, ${chunks.embedded} embedded, ${chunks.reused + chunks.cached} reused, ${chunks.pending} pending`,
  );
  const reasons = Object.entries(skipped).sort(([, a], [, b]) => b - a);
  const total = reasons.reduce((sum, [, count]) => sum + count, 0);
  if (total > 0) {
    const list = reasons.map(([reason, count]) => `${count} ${reason}`).join(', ');
    output.result(`${counted(total, 'path')} skipped: ${list} (quarry status --skipped)`);
  }
  for (const { code, message, remedy } of result.warnings)
    if (code === 'documents-too-old') output.result(`${message} ${remedy}`);
  if (redacted > 0) output.result(`${counted(redacted, 'secret')} blacked out`);
  list('degraded', result.degraded, output);
  list('failed', result.failed, output);
  noteUntrusted(result, output);
  noteRetired(result, output);
  output.result(`${seconds.total.toFixed(1)} s, ${seconds.embedding.toFixed(1)} s of it in the model`);
}

/** What the index holds. */
export function renderStatus(result: z.output<typeof statusOperation.output>, output: Output): void {
  if (result.disabled) {
    output.result(`${output.style('bold', 'Disabled')} in ${result.folder}`);
    output.result(`${result.disabled.remedy} Until then nothing is indexed, searched or shown.`);
    return;
  }
  const types = Object.entries(result.types).map(([type, count]) => `${count} ${type}`);
  const state = result.empty ? 'Empty' : `Indexed ${counted(result.chunks, 'chunk')}`;
  output.result(`${output.style('bold', state)} in ${result.folder}`);
  output.result(`documents  ${result.documents}${types.length > 0 ? ` (${types.join(', ')})` : ''}`);
  if (result.history) {
    const { commits, oldest, newest } = result.history;
    output.result(
      `history    ${counted(commits, 'commit')}, ${oldest.slice(0, 10)} to ${newest.slice(0, 10)}`,
    );
  }
  output.result(`pending    ${result.pending}`);
  output.result(`failed     ${result.failed.length}`);
  output.result(
    `skipped    ${result.skipped_count}${result.skipped ? '' : ' (list: quarry status --skipped)'}`,
  );
  output.result(`last sync  ${result.synced_at ? localTime(result.synced_at) : 'never'}`);
  output.result(`behind by  ${behind(result)}`);
  if (result.stale > 0)
    output.result(
      `${counted(result.stale, 'document')} still cut by previous settings; quarry index cuts again`,
    );
  output.result(`embedder   ${result.embedder}`);
  if (result.set_aside.length > 0)
    output.result(
      `set aside  ${result.set_aside.join(', ')}: of an earlier version or not made by you, not used (quarry clean removes)`,
    );
  if (result.commands)
    output.result(
      `runs       ${result.commands.commands.join('; ')} (${result.commands.trusted ? 'trusted' : 'not trusted: quarry trust'})`,
    );
  noteUntrusted(result, output);
  noteRetired(result, output);
  output.result(`on disk    ${(result.bytes / 2 ** 20).toFixed(1)} MiB`);
  output.result(`engine     ${engineLine(result)}`);
  renderCorpus(result, output);
  list(
    'failed',
    result.failed.map(({ path, detail }) => ({ path, reason: detail })),
    output,
  );
  list(
    'degraded',
    result.degraded.map(({ path, detail }) => ({ path, reason: detail })),
    output,
  );
  listRefused(result, output);
  for (const { path, reason, detail } of result.skipped ?? []) {
    output.result(`${output.style('yellow', reason)} ${path}  ${output.style('dim', detail)}`);
  }
}

/** Says which settings that came with the folder do not count, and how they would. */
export function noteUntrusted(
  { untrusted = [] }: { readonly untrusted?: readonly string[] | undefined },
  output: Output,
): void {
  if (untrusted.length === 0) return;
  const { message, remedy } = untrustedWords(untrusted);
  output.note(`${output.styleNote('yellow', 'warning')} ${message} ${remedy}`);
}

/** Says which settings are written as the version before had them. */
export function noteRetired(
  { retired = [] }: { readonly retired?: readonly string[] | undefined },
  output: Output,
): void {
  if (retired.length === 0) return;
  output.note(`${output.styleNote('yellow', 'warning')} ${shownLine(retired.join(' '))} ${retiredRemedy}`);
}

/** The engine that keeps the project open, the one that starts, or that there is none. */
function engineLine({ engine, engine_starting }: z.output<typeof statusOperation.output>): string {
  if (engine_starting) return `starting, process ${engine_starting.pid}: it answers later commands`;
  if (!engine) return 'none for this command (start one: quarry serve)';
  const minutes = Math.floor(engine.uptime_seconds / 60);
  const megabytes = (engine.memory_bytes / 2 ** 20).toFixed(0);
  return `process ${engine.pid}, up ${minutes} min, ${counted(engine.open_projects, 'project')} open, ${megabytes} MiB (end it: quarry stop)`;
}

/** Chunks that the model refused, each with its place and the reason. */
function listRefused(
  { refused, refused_count }: z.output<typeof statusOperation.output>,
  output: Output,
): void {
  if (refused_count === 0) return;
  output.result(`${counted(refused_count, 'chunk')} could not be embedded; quarry index tries again:`);
  for (const { citation, reason } of refused.slice(0, listedFiles))
    output.result(`refused ${citation}: ${reason}`);
  const more = refused_count - Math.min(refused.length, listedFiles);
  if (more > 0) output.result(`refused ${more} more (list: quarry status --json)`);
}

function behind({ changes, incomparable }: z.output<typeof statusOperation.output>): string {
  if (incomparable) return `unknown: ${incomparable.message}`;
  const parts = Object.entries(changes ?? {}).filter(([, count]) => count > 0);
  return parts.length === 0 ? 'nothing' : parts.map(([kind, count]) => `${count} ${kind}`).join(', ');
}

/** Files with their reasons. A long list is cut; JSON has all of it. */
function list(label: string, entries: readonly { path: string; reason: string }[], output: Output): void {
  for (const { path, reason } of entries.slice(0, listedFiles)) {
    output.result(`${label} ${path}: ${reason}`);
  }
  const more = entries.length - listedFiles;
  if (more > 0) output.result(`${label} ${more} more (list: quarry status --json)`);
}

/** Settings with their values and origins. */
export function renderConfig(result: z.output<typeof configOperation.output>, output: Output): void {
  const width = Math.max(...result.settings.map(({ key }) => key.length));
  for (const { key, value, layer, origin } of result.settings) {
    const place = layer === 'default' ? output.style('dim', origin) : output.style('cyan', origin);
    output.result(
      `${key.padEnd(width)} = ${value === undefined ? '(not set)' : JSON.stringify(value)}  ${output.style('dim', '#')} ${place}`,
    );
  }
}

/** Each check with its result, and the remedy where something is wrong. */
export function renderDoctor(result: z.output<typeof doctorOperation.output>, output: Output): void {
  const marks = {
    good: output.style('green', '✓'),
    bad: output.style('red', '✗'),
    note: output.style('yellow', '!'),
  };
  for (const { name, state, detail, remedy } of result.checks) {
    output.result(`${marks[state]} ${name.padEnd(8)} ${detail}`);
    if (remedy) output.result(`           ${remedy}`);
  }
}
