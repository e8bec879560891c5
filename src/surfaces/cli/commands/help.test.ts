import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { programHelp } from './help.ts';
import { helpSections } from './help-sections.ts';
import { ownCommands } from './own-commands.ts';

const firstWords = [...commands, ...ownCommands].map(({ name }) => name.split(' ')[0]);

test('help has every command under one title, and the commands of a group on one line', async () => {
  const words = helpSections.flatMap(({ lines }) => lines.map(({ word }) => word));
  expect([...words].sort()).toEqual([...new Set(firstWords)].sort());
  const help = await programHelp();
  expect(help).toContain('  consent list|give|withdraw ');
  expect(help).toContain('  clean [all] ');
  expect(help).toContain('  store migrate ');
  for (const { name } of ownCommands) expect(help).toMatch(new RegExp(`^  ${name} `, 'm'));
});

test('a group says what it is about, and a command what it does', async () => {
  for (const { word, about } of helpSections.flatMap(({ lines }) => lines)) {
    const isGroup = commands.some(({ name }) => name.startsWith(`${word} `));
    expect([word, about !== undefined]).toEqual([word, isGroup]);
  }
});
