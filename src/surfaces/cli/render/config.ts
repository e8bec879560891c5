import { diffLines } from '../../../core/text/line-diff.ts';
import type { SettingNeed } from '../../../settings/change-settings.ts';
import type { Output } from '../terminal/output.ts';
import { noteRetired, noteUntrusted } from './reports.ts';

const meanings: Readonly<Record<SettingNeed, string>> = {
  scan: 'lists the files again',
  cut: 'cuts documents again',
  embed: 'makes vectors again',
};

/** Shows what a change of settings does to the file, and what the next run does because of it. */
export function renderConfigSet(
  change: {
    file: string;
    written: boolean;
    before: string;
    after: string;
    needs: readonly SettingNeed[];
    untrusted?: readonly string[] | undefined;
    retired?: readonly string[] | undefined;
  },
  output: Output,
): void {
  const { file, written, before, after, needs } = change;
  noteRetired(change, output);
  if (before === after) {
    output.note(`${file} says so already.`);
    return;
  }
  for (const { kind, text } of diffLines(before, after)) {
    if (kind === 'removed') output.result(output.style('red', `- ${text}`));
    if (kind === 'added') output.result(output.style('green', `+ ${text}`));
  }
  output.note(written ? `Written to ${file}.` : `Not written: ${file} would change like this.`);
  noteUntrusted(change, output);
  if (needs.length > 0) output.note(`The next run ${needs.map((need) => meanings[need]).join(', ')}.`);
}
