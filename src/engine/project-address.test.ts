import { expect, test } from 'vitest';
import { isCitable, splitProject } from '../core/project-names.ts';
import type { ProjectEntry } from '../user/project-entry.ts';
import { projectNames, severalIn } from './project-address.ts';

const entry = (id: string, folder: string, isRegistered = false): ProjectEntry => ({
  id,
  folder,
  files: 'local',
  isRegistered,
});

test('an address names one project, several, or all', () => {
  expect(severalIn('api')).toBeUndefined();
  expect(severalIn('api,web')).toEqual([{ id: 'api' }, { id: 'web' }]);
  expect(severalIn('home=folder-1f')).toEqual([{ id: 'folder-1f', name: 'home' }]);
  expect(severalIn('*')).toBe('*');
});

test('names for people are those of folders, never two alike, and stay when another folder comes', () => {
  const [one, other] = [entry('folder-1', '/code/api'), entry('folder-2', '/play/api')];
  const first = projectNames([one], new Map());
  expect([...first]).toEqual([['folder-1', 'api']]);
  const both = projectNames([one, other], first);
  expect([...both]).toEqual([
    ['folder-1', 'api'],
    ['folder-2', 'play-api'],
  ]);
  // An id that somebody chose wins over the name of a folder.
  const names = projectNames([entry('api', '/x', true), one], first);
  expect(names.get('api')).toBe('api');
  expect(names.get('folder-1')).not.toBe('api');
});

test('a name that begins names of documents is none of a project, and a name of code is no place of one', () => {
  for (const word of ['commit', 'Commit', 'conversation', 'virtual', 'https'])
    expect(splitProject(`${word}:0123456789ab`, () => true)).toBeUndefined();
  expect(splitProject('std::vector', () => true)).toBeUndefined();
  expect(splitProject('std:vector.h', () => true)).toEqual({ name: 'std', rest: 'vector.h' });
  // Such a name is made another one, which no id has.
  const entries = ['commit', 'project-commit'].map((id) => entry(id, `/${id}`, true));
  expect([...projectNames(entries, new Map()).values()].sort()).toEqual([
    'project-commit',
    'project-commit-2',
  ]);
});

test('what stands before a place is no drive of Windows, no address and no path', () => {
  const isName = () => true;
  expect(splitProject('api:src/a.ts:10-20', isName)).toEqual({ name: 'api', rest: 'src/a.ts:10-20' });
  for (const text of ['c:\\a.ts', 'C:/a.ts', 'virtual:note', 'https://x/y', 'src/a.ts:10', ':a', 'api:'])
    expect(splitProject(text, isName)).toBeUndefined();
  expect(isCitable('c')).toBe(false);
  expect(projectNames([entry('c', '/x', true), entry('virtual', '/y', true)], new Map())).toEqual(
    new Map([
      ['c', 'project-c'],
      ['virtual', 'project-virtual'],
    ]),
  );
});
