import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { readLabelledQuestions } from './labelled-questions.ts';

async function read(content: string, folder = '/project') {
  const place = await temporaryFolder({ 'q.jsonl': content });
  return readLabelledQuestions(join(place, 'q.jsonl'), folder);
}

describe('labelled questions', () => {
  test('name paths, ends of paths and lines, with grades and kinds', async () => {
    const { questions } = await read(
      '\uFEFF{"id": 7, "text": "x?", "category": "kind", "relevant": ["src/a.ts", {"path": "b.md:3-9", "grade": 2}, "c.ts:12"]}\r\n\r\n',
    );
    expect(questions).toEqual([
      {
        id: '7',
        text: 'x?',
        category: 'kind',
        labels: [
          { path: 'src/a.ts', grade: 1 },
          { path: 'b.md', grade: 2, lines: [3, 9] },
          { path: 'c.ts', grade: 1, lines: [12, 12] },
        ],
      },
    ]);
  });

  test('may be written as another system or the shell writes paths', async () => {
    const { questions } = await read(
      '{"text": "x?", "relevant": ["./src/a.ts", "src\\\\win\\\\b.ts:4", "/project/docs/c.md"]}',
    );
    expect(questions[0]?.labels.map(({ path }) => path)).toEqual(['src/a.ts', 'src/win/b.ts', 'docs/c.md']);
  });

  test('without anything relevant are counted and not asked', async () => {
    const lines = [
      '{"text": "a"}',
      '{"text": "b", "relevant": []}',
      '{"text": "c", "relevant": [{"path": "x", "grade": 0}]}',
    ];
    expect(await read(lines.join('\n'))).toEqual({ questions: [], unjudged: 3 });
  });

  test('may hold characters that some readers take for the end of a line', async () => {
    const { questions } = await read('{"text": "a\u2028b\u0085c", "relevant": ["x"]}');
    expect(questions[0]?.text).toBe('a\u2028b\u0085c');
  });

  test('keep their identity when their line moves', async () => {
    const line = '{"text": "a", "relevant": ["x"]}';
    const [before, after] = [await read(line), await read(`{"text": "z", "relevant": ["y"]}\n${line}`)];
    expect(after.questions[1]?.id).toBe(before.questions[0]?.id);
  });

  test.each([
    ['no JSON', '{"text": "a", relevant: []}', /line 2: is no JSON/],
    ['an unknown key', '{"text": "a", "relevent": ["x"]}', /line 2: Unrecognized key: "relevent"/],
    ['no text', '{"relevant": ["x"]}', /line 2: text: /],
    ['an empty text', '{"text": " ", "relevant": ["x"]}', /line 2: text: must not be empty/],
    ['a bad grade', '{"text": "a", "relevant": [{"path": "x", "grade": -1}]}', /line 2: relevant\.0/],
    [
      'lines that run backwards',
      '{"text": "a", "relevant": ["x:9-3"]}',
      /line 2: "x:9-3" has no proper range/,
    ],
    ['a path of nothing', '{"text": "a", "relevant": ["./"]}', /line 2: "\.\/" names no file/],
    [
      'a question that stands twice',
      '{"text": "first", "relevant": ["x"]}',
      /line 2: is the same question as line 1/,
    ],
  ])('with %s are refused with the line and an example', async (_, line, message) => {
    await expect(read(`{"text": "first", "relevant": ["x"]}\n${line}`)).rejects.toMatchObject({
      code: 'usage-invalid',
      message: expect.stringMatching(message),
      remedy: expect.stringContaining('Write the line like this: {"text"'),
    });
  });

  test('in a file that is not there say so', async () => {
    await expect(readLabelledQuestions('/nowhere/q.jsonl', '/')).rejects.toMatchObject({
      code: 'file-unreadable',
    });
  });
});
