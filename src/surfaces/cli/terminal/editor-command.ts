import { basename } from 'node:path';

/** How the usual editors take a line, by the name of their program. */
const forms: readonly (readonly [names: string, form: (file: string, line: string) => string[]])[] = [
  ['code code-insiders codium vscodium cursor windsurf', (file, line) => ['--goto', `${file}:${line}`]],
  ['vi vim nvim gvim nano emacs emacsclient kak joe micro', (file, line) => [`+${line}`, file]],
  [
    'idea pycharm webstorm goland rubymine clion phpstorm rider studio',
    (file, line) => ['--line', line, file],
  ],
  ['subl zed hx helix', (file, line) => [`${file}:${line}`]],
];

/**
 * The program and its arguments that open a file, at a line where it is known. The setting may hold arguments
 * (`code --wait`); it is split at spaces outside of quotes, and no shell reads any of it. The path is absolute, so that it
 * is never taken for a flag.
 */
export function editorCommand(
  setting: string,
  file: string,
  line?: number,
): [program: string, ...words: string[]] {
  const [program = setting, ...words] = [...setting.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  const name = basename(program.replaceAll('\\', '/'))
    .replace(/\.(exe|cmd|bat|sh)$/i, '')
    .toLowerCase();
  const form = line === undefined ? undefined : forms.find(([names]) => names.split(' ').includes(name))?.[1];
  return [program, ...words, ...(form ? form(file, String(line)) : [file])];
}
