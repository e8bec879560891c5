import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { findCommand } from './find-command.ts';
import { commandHelp, groupHelp, programHelp } from './help.ts';
import { helpSections } from './help-sections.ts';
import { ownCommands } from './own-commands.ts';

const firstWords = [...commands, ...ownCommands].map(({ name }) => name.split(' ')[0]);

test('help has every command under one title, and the commands of a group on one line', async () => {
  const words = helpSections.flatMap(({ lines }) => lines.map(({ word }) => word));
  expect([...words].sort()).toEqual([...new Set(firstWords)].sort());
  const help = await programHelp();
  expect(help).toContain('  consent list|give|withdraw ');
  expect(help).toContain('  mcp  ');
  for (const name of ['overview', 'manifest', 'memory'])
    expect(help).not.toMatch(new RegExp(`^  ${name} `, 'm'));
  expect(help).toContain('  store migrate ');
  for (const { name } of ownCommands) expect(help).toMatch(new RegExp(`^  ${name} `, 'm'));
});

test('a group says what it is about, and a command what it does', async () => {
  for (const { word, about } of helpSections.flatMap(({ lines }) => lines)) {
    const isGroup = commands.some(({ name }) => name.startsWith(`${word} `));
    expect([word, about !== undefined]).toEqual([word, isGroup]);
  }
});

test('help of a command has the flags that ask for another operation, with theirs', async () => {
  const help = await commandHelp(findCommand(['status']).entry);
  expect(help).toMatch(/^ {2}--files +List every path/m);
  expect(help).toMatch(/^Flags with --files:\n(?: {2}.*\n)* {2}--chunks /m);
  expect(help).toContain('quarry status --files --path "docs/**"');
  expect(await commandHelp(findCommand(['status', '--files']).entry)).toContain(
    'Usage: quarry status --files [flags]',
  );
  expect(await commandHelp(findCommand(['clean']).entry)).toMatch(/^ {2}--all +Remove the whole index/m);
});

test('help of a group has every word of it', async () => {
  const { group = '' } = findCommand(['trust', '--help']);
  const help = await groupHelp(group);
  for (const word of ['give', 'show', 'withdraw'])
    expect(help).toMatch(new RegExp(`^  quarry trust ${word} `, 'm'));
  expect(help).toContain('`quarry trust` alone is `quarry trust give`.');
});
