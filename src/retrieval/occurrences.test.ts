import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { openProject } from '../project/open-project.ts';

const mail = (day: number, text: string) =>
  `From: ann@example.org\nTo: ben@example.org\nSubject: Stock\nDate: Mon, ${day} Nov 2026 09:00:00 +0000\n\n${text}\n`;
/** A log of which each entry is long enough to be cut apart from the next ones. */
const entry = (number: number) =>
  `2026-11-16 10:${String(number % 60).padStart(2, '0')}:00 WARN order ${number} waits for quillback, ${`step ${number} `.repeat(60)}`;

let project: Project;
beforeAll(async () => {
  const folder = await temporaryFolder({
    'app.log': Array.from({ length: 90 }, (_, number) => entry(number)).join('\n'),
    'mail/first.eml': mail(16, 'Is there quillback left? I saw no quillback on the list.'),
    'mail/second.eml': mail(17, 'The quillback came today.'),
    'notes.md': '# Notes\n\nNothing about fish here.',
  });
  project = await openProject(folder, { settings: { embedder: { driver: 'hashing' } } });
  for await (const event of project.index()) if (event.type === 'document-failed') throw event;
  return () => project.close();
});

test('a literal text is counted in every file, and one long log does not hide the others', async () => {
  const { hits, analysis } = await project.search('quillback', { route: 'exact' });
  const counts = hits.flatMap(({ document, occurrences }) =>
    occurrences === undefined ? [] : [`${document.uri} ${occurrences}`],
  );
  // Each file says it once, though more of its places are hits where there are few files.
  expect(counts.sort()).toEqual(['app.log 90', 'mail/first.eml 2', 'mail/second.eml 1']);
  expect(analysis?.occurrences).toEqual({ total: 93, documents: 3, isComplete: true });
});

test('an expression is counted too, and a search by words counts nothing', async () => {
  const { analysis } = await project.search('quill\\w+ (?:left|came)', { route: 'regex' });
  expect(analysis?.occurrences).toEqual({ total: 2, documents: 2, isComplete: true });
  const plain = await project.search('quillback');
  expect(plain.analysis?.occurrences).toBeUndefined();
  expect(plain.hits.every(({ occurrences }) => occurrences === undefined)).toBe(true);
});

test('what is not there is counted as none', async () => {
  const { hits, analysis } = await project.search('sturgeon', { route: 'exact' });
  expect(hits).toEqual([]);
  expect(analysis?.occurrences).toEqual({ total: 0, documents: 0, isComplete: true });
});

test('what two overlapping chunks share is counted once, literal or expression', async () => {
  const line = (number: number) => `line ${number} is about a heron and the lake it lives at`;
  const folder = await temporaryFolder({
    'birds.txt': Array.from({ length: 120 }, (_, number) => line(number)).join('\n'),
  });
  const chunking = { sizes: 'characters', by_characters: { size: 500, overlap: 300 } };
  const overlapping = await openProject(folder, { settings: { embedder: { driver: 'hashing' }, chunking } });
  for await (const event of overlapping.index()) if (event.type === 'document-failed') throw event;
  for (const [query, route] of [
    ['heron', 'exact'],
    ['her[o]n', 'regex'],
  ] as const) {
    const { hits, analysis } = await overlapping.search(query, { route });
    expect(analysis?.occurrences, query).toEqual({ total: 120, documents: 1, isComplete: true });
    expect(hits[0]?.occurrences, query).toBe(120);
  }
  await overlapping.close();
});
