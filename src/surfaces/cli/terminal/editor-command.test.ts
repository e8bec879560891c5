import { expect, test } from 'vitest';
import { editorCommand } from './editor-command.ts';

test.each([
  ['vim', ['vim', '+7', '/p/a b.ts']],
  ['/usr/bin/nvim', ['/usr/bin/nvim', '+7', '/p/a b.ts']],
  ['nano', ['nano', '+7', '/p/a b.ts']],
  ['emacsclient -n', ['emacsclient', '-n', '+7', '/p/a b.ts']],
  ['code --wait', ['code', '--wait', '--goto', '/p/a b.ts:7']],
  [
    '"C:\\Program Files\\Code\\Code.exe" -w',
    ['C:\\Program Files\\Code\\Code.exe', '-w', '--goto', '/p/a b.ts:7'],
  ],
  ['idea', ['idea', '--line', '7', '/p/a b.ts']],
  ['subl', ['subl', '/p/a b.ts:7']],
  ['zed', ['zed', '/p/a b.ts:7']],
  ['ed', ['ed', '/p/a b.ts']],
  ['vim; rm -rf ~', ['vim;', 'rm', '-rf', '~', '/p/a b.ts']],
])('%s opens a file at a line', (setting, command) => {
  expect(editorCommand(setting, '/p/a b.ts', 7)).toEqual(command);
});

test('a place that is no line opens the file', () => {
  expect(editorCommand('code', '/p/a.pdf')).toEqual(['code', '/p/a.pdf']);
});
