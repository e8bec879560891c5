import { expect, test } from 'vitest';
import { largestTopics } from './topics.ts';

const at = (uri: string, title: string, chunks = 1) => ({ uri, title, chunks });

test('topics are folders with the words that set them apart, largest first', () => {
  const topics = largestTopics(
    [
      at('birds/heron.md', 'Notes on the heron', 5),
      at('birds/stork.md', 'Notes on the heron and stork', 4),
      at('lakes/north.md', 'Notes on the northern lake', 2),
      at('lakes/south.md', 'Notes on the southern lake', 1),
      at('readme.md', 'Notes', 1),
    ],
    2,
  );
  expect(topics.map(({ folder, documents, chunks }) => [folder, documents, chunks])).toEqual([
    ['birds', 2, 9],
    ['lakes', 2, 3],
  ]);
  expect(topics[0]?.words[0]).toBe('heron');
  expect(topics[1]?.words[0]).toBe('lake');
});

test('a folder that holds most of the corpus is shown as its subfolders', () => {
  const topics = largestTopics(
    ['a', 'b', 'c', 'd'].map((name) => at(`src/${name < 'c' ? 'one' : 'two'}/${name}.ts`, name)),
    10,
  );
  expect(topics.map(({ folder }) => folder)).toEqual(['src/one', 'src/two']);
  const single = largestTopics([at('src/one/a.ts', 'a'), at('src/one/b.ts', 'b')], 10);
  expect(single.map(({ folder }) => folder)).toEqual(['src/one']);
});
