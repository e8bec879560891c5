import { describe, expect, test } from 'vitest';
import { loadOperations } from '../../../operations/catalogue.ts';
import type { Operation } from '../../../operations/operation.ts';
import { confirm } from './confirmation.ts';

const operations = await loadOperations();
const named = (wanted: string) => operations.find(({ name }) => name === wanted) as Operation;
const { signal } = new AbortController();

describe('an operation that destroys', () => {
  const clear = named('cache clear');

  test.each(['y', ' Yes\n'])('begins when a person answers %j', async (answer) => {
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return answer;
    };
    await confirm(clear, [], false, ask, signal);
    expect(questions).toEqual(['Remove all vectors that your projects share. Are you sure? [y/N] ']);
  });

  test.each(['', 'n', 'yesterday'])('does not when a person answers %j', async (answer) => {
    const asked = confirm(clear, [], false, async () => answer, signal);
    await expect(asked).rejects.toMatchObject({ code: 'interrupted' });
  });

  test('needs --yes where there is nobody to ask', async () => {
    await expect(confirm(clear, ['cache', 'clear'], false, undefined, signal)).rejects.toMatchObject({
      code: 'usage-invalid',
      remedy: 'Run: quarry cache clear --yes',
    });
    await confirm(clear, [], true, undefined, signal);
  });
});

test.each([
  [['remove', 'added:calls/my note.md', '--json'], 'quarry remove "added:calls/my note.md" --json --yes'],
  [['remove', '--', '-note.md'], 'quarry remove --yes -- -note.md'],
])('what to run instead has the words that were written: %j', async (words, line) => {
  const asked = confirm(named('remove'), words, false, undefined, signal);
  await expect(asked).rejects.toMatchObject({ remedy: `Run: ${line}` });
});

test('one that reads or writes begins at once', async () => {
  await confirm(named('search'), [], false, undefined, signal);
  await confirm(named('clean'), [], false, undefined, signal);
});
