import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { type CodeName, codeNames, codeSources, repository } from './code-bases.ts';
import { placesMissing, type Question, readQuestions } from './questions.ts';

const execute = promisify(execFile);
const all = (await Promise.all(codeNames.map((code) => readQuestions(code)))).flat();

/** Endings and words that every text has. */
const stem = (word: string) => word.toLowerCase().replace(/(?:ing|ed|es|s)$/, '');

describe('the questions', () => {
  test('are at least forty, and at least thirteen about each code base', () => {
    expect(all.length).toBeGreaterThanOrEqual(40);
    const counts = codeNames.map((code) => all.filter((question) => question.code === code).length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(13);
    expect(new Set(all.map(({ question }) => question)).size).toBe(all.length);
  });

  test.each(all.map((question) => [question.id, question] as const))(
    '%s names no symbol of its answer, which one word would find',
    (_, { question, places }) => {
      const symbols = places.flatMap((place) => place.split('#')[1]?.split('.') ?? []);
      // One plain word, as `main`, finds nothing by itself.
      const telling = symbols.filter((symbol) => /[a-z][A-Z]|_./.test(symbol));
      expect(telling.filter((symbol) => question.toLowerCase().includes(symbol.toLowerCase()))).toEqual([]);
    },
  );

  test.each(all.map((question) => [question.id, question] as const))(
    '%s does not say the words of a symbol one after the other',
    (_, { question, places }) => {
      const said = ` ${(question.match(/\w+/g) ?? []).map(stem).join(' ')} `;
      const symbols = places.flatMap((place) => place.split('#')[1]?.split('.') ?? []);
      const names = symbols.map((symbol) => symbol.match(/[A-Z]?[a-z0-9]+/g)?.map(stem) ?? []);
      const spoken = names.filter((words) => words.length > 1 && said.includes(` ${words.join(' ')} `));
      expect(spoken).toEqual([]);
    },
  );
});

describe('the deciding places', () => {
  const question: Question = {
    id: 'dircproxy-01',
    code: 'dircproxy',
    question: 'What happens at the end?',
    points: ['This happens.', 'That too.'],
    places: ['a.c#stop', 'a.c#Session.close', 'a.c#gone', 'b.c#stop'],
  };

  test('are missing where the file or any part of the symbol is', async () => {
    const read = async (path: string) =>
      path === 'a.c' ? 'void stop(void);\nclass Session { close() } // gone_by' : undefined;
    expect(await placesMissing([question], read)).toEqual([
      'dircproxy-01: a.c#gone',
      'dircproxy-01: b.c#stop',
    ]);
  });

  test('in the project itself are all in the commit that is asked about', async ({ skip }) => {
    const source = codeSources.quarry;
    const commit = source.kind === 'commit' ? source.commit : '';
    const git = (...words: string[]) =>
      execute('git', words, { cwd: repository, maxBuffer: 2 ** 24 }).then(
        ({ stdout }) => stdout,
        () => undefined,
      );
    // An export or a shallow clone has no history.
    if ((await git('cat-file', '-t', commit)) === undefined) skip();
    const own = all.filter(({ code }) => code === 'quarry');
    expect(await placesMissing(own, (path) => git('show', `${commit}:${path}`))).toEqual([]);
  });
});

describe('a file of questions', () => {
  const sound = {
    id: 'dircproxy-01',
    code: 'dircproxy',
    question: 'What does the program do when the other side has gone away?',
    points: ['It closes the socket.', 'It tries again later.'],
    places: ['src/main.c#main'],
  };
  const read = async (rows: readonly object[]) => {
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    return readQuestions('dircproxy', await temporaryFolder({ 'dircproxy.jsonl': text }));
  };

  test('is read in its order', async () => {
    expect(await read([sound, { ...sound, id: 'dircproxy-02' }])).toMatchObject([
      { id: 'dircproxy-01' },
      { id: 'dircproxy-02' },
    ]);
  });

  test.each([
    ['an id twice', [sound, sound], 'stands twice'],
    ['the question of another code base', [{ ...sound, code: 'dhcpy6d' }], 'about dhcpy6d'],
    ['one point alone', [{ ...sound, points: ['It closes.  '] }], 'points'],
    ['six points', [{ ...sound, points: Array(6).fill('It closes the socket.') }], 'points'],
    ['a place without a symbol', [{ ...sound, places: ['src/main.c'] }], 'FILE#SYMBOL'],
    ['no place', [{ ...sound, places: [] }], 'places'],
    ['a field too many', [{ ...sound, answer: 'main' }], 'answer'],
  ])('with %s is refused, with its line', async (_, rows, message) => {
    await expect(read(rows)).rejects.toMatchObject({
      code: 'usage-invalid',
      message: expect.stringContaining(message),
    });
  });
});

test('every line of the files is one question, and nothing else', async () => {
  const lines = async (code: CodeName) =>
    (await readFile(join(import.meta.dirname, 'questions', `${code}.jsonl`), 'utf8')).split('\n').length - 1;
  expect((await Promise.all(codeNames.map(lines))).reduce((sum, each) => sum + each, 0)).toBe(all.length);
});
