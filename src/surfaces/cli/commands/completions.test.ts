import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { completionScript, shells } from './completions.ts';

/** How each shell is asked what it offers for a command line that is being typed. */
const drivers = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in.
  bash: 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); source "$SCRIPT"; _quarry; printf "%s\\n" "${COMPREPLY[@]}"',
  zsh: [
    'compdef() { : }; _files() { print files }',
    // The shell's own keeps only what begins like the word; it works in a terminal alone.
    'compadd() { shift; for each in "$@"; do [[ $each == "$words[CURRENT]"* ]] && print -r -- $each; done }',
    'words=("$@"); CURRENT=$#; source "$SCRIPT"; _quarry; true',
  ].join('\n'),
  fish: 'source "$SCRIPT"; complete -C (string join " " -- $argv) | string replace -r "\\t.*" ""; true',
} as const;

const own = { name: 'completions', summary: '', words: shells };

const isHere = (shell: string) => {
  try {
    execFileSync(shell, ['-c', 'true']);
    return true;
  } catch {
    return false;
  }
};

test.each(shells.map((shell) => ({ shell, skip: !isHere(shell) })))(
  '$shell completes commands, flags and their values',
  async ({ shell, skip }) => {
    if (skip) return;
    const folder = await temporaryFolder({ script: await completionScript(shell, [own]) });
    const offered = (...words: string[]): string[] => {
      const flags = shell === 'fish' ? ['--no-config', '-c', drivers.fish] : ['-c', drivers[shell], shell];
      const printed = execFileSync(shell, [...flags, 'quarry', ...words], {
        env: { PATH: process.env.PATH, HOME: folder, SCRIPT: join(folder, 'script') },
        encoding: 'utf8',
      });
      return printed.split('\n').filter(Boolean).sort();
    };
    expect(offered('se')).toEqual(['search', 'serve']);
    expect(offered('search', '--to')).toEqual(['--top-k']);
    expect(offered('search', 'x', '--route', 'e')).toEqual(['exact']);
    expect(offered('cache', 'ex')).toEqual(['export']);
    expect(offered('cache', 'clear', '--ye')).toEqual(['--yes']);
    expect(offered('clean', '--a')).toEqual(['--all']);
    expect(offered('status', '--files', '--chu')).toEqual(['--chunks']);
    expect(offered('over')).toEqual([]);
    expect(offered('completions', 'z')).toEqual(['zsh']);
  },
);
