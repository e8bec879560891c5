import { expect, test } from 'vitest';
import { createExplorationChunker } from './exploration.ts';
import { cutUp, documentAt, expectFaithful, sizeLimits, textFrom } from './sections.fixture.ts';

const chunker = createExplorationChunker();

test('cuts at headings and at lines that begin with **Key, with the path as section', async () => {
  const text = [
    '# Cache',
    'We looked at the cache of the build.',
    '## Reads',
    'Reads are mostly misses these days.',
    '**Key finding:** it is never warm at night.',
    '```',
    '## no heading here',
    '```',
    '**Key files**',
    'src/cache.ts and its two tests.',
  ].join('\n');
  const chunks = await cutUp(chunker, documentAt('a.md', text, 'Cache'), sizeLimits(4, 20, 40));
  expect(chunks).toEqual([
    ['Cache', '# Cache\nWe looked at the cache of the build.'],
    ['Cache > Reads', '## Reads\nReads are mostly misses these days.'],
    [
      'Cache > Reads > Key finding',
      '**Key finding:** it is never warm at night.\n```\n## no heading here\n```',
    ],
    ['Cache > Reads > Key files', '**Key files**\nsrc/cache.ts and its two tests.'],
  ]);
});

test('puts the title before the path where the first heading does not say it', async () => {
  const text = '## Reads\nSome words.';
  const { drafts } = await chunker.chunk(documentAt('a.md', text, 'Study'), sizeLimits(1, 20, 40));
  expect(drafts[0]?.header).toBe('Study > Reads');
});

test('holds any text whole, in order and within the maximum', async () => {
  const lines = ['# One', '## Two', '**Key point:** said. Again.', '```', 'Prose here. And there.', '- item'];
  await expectFaithful(chunker, 'a.md', textFrom(lines));
});
