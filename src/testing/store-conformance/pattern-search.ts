import assert from 'node:assert/strict';
import type { PatternSearch, Store, StoreMatch, TextPattern } from '../../contracts/store.ts';
import { deletePaths, putDocument } from '../../index/write.ts';
import { chunkEntries, documentRecord } from '../documents.ts';
import { assertRefused, putTexts, storeChecks, textsOf } from './store-check.ts';

function searchPattern(
  store: Store,
  ...given: Parameters<PatternSearch['searchPattern']>
): Promise<StoreMatch[]> {
  assert.ok(store.searchPattern, 'the store declares pattern search');
  return store.searchPattern(...given);
}

/** A literal pattern; `overrides` replace single fields. */
function literal(text: string, overrides: Partial<TextPattern> = {}): TextPattern {
  return { text, isRegex: false, ignoreCase: false, ...overrides };
}

function regex(text: string, overrides: Partial<TextPattern> = {}): TextPattern {
  return literal(text, { isRegex: true, ...overrides });
}

/** The texts that hold the pattern, sorted. */
async function holders(store: Store, pattern: TextPattern): Promise<string[]> {
  return textsOf(await searchPattern(store, pattern, { limit: 100 })).sort();
}

function placesOf(matches: readonly StoreMatch[]): [string, number, number][] {
  return matches.map(({ document, chunk, score }) => [document.uri, chunk.ordinal, score]);
}

/** Texts that could be mistaken for syntax. */
const oddities = [
  'a.b*c?d+e',
  '(unclosed [group',
  'back\\slash and \\d+',
  '100% sure_thing $1 ^ |',
  'say "hi" AND NOT body:x',
  "it's; DROP TABLE chunks; --",
  'nul \0 inside',
  '東京都の天気予報、晴れ',
  'naïve café e\u0301clair',
  '🦀 crab 👩‍👩‍👧 family',
  'tab\tand\r\nline',
] as const;

/** Checks of the search for literals and regular expressions. */
export const patternSearchChecks = storeChecks({
  'finds the chunks that hold a literal, those that hold it most often first, then by uri and ordinal':
    async (store) => {
      await putTexts(store, 'b.md', ['one call()', 'nothing', 'call() call() call()', 'last call()']);
      await putTexts(store, 'a.md', ['call()call()', 'my call() here']);
      const found = await searchPattern(store, literal('call()'), { limit: 10 });
      assert.deepEqual(placesOf(found), [
        ['b.md', 2, 3],
        ['a.md', 0, 2],
        ['a.md', 1, 1],
        ['b.md', 0, 1],
        ['b.md', 3, 1],
      ]);
      const fewer = await searchPattern(store, literal('call()'), { limit: 3 });
      assert.deepEqual(placesOf(fewer), placesOf(found).slice(0, 3));
      assert.deepEqual(await searchPattern(store, literal('call()'), { limit: 0 }), []);
    },
  'finds every part of a text as it stands, whatever characters it is made of': async (store) => {
    await putTexts(store, 'a.md', oddities);
    for (const text of oddities) {
      const characters = [...text];
      for (const cut of [0, 1, 3]) {
        const part = characters.slice(cut, characters.length - cut).join('');
        assert.deepEqual(await holders(store, literal(part)), [text], JSON.stringify(part));
        const inAnyCase = literal(part.toUpperCase(), { ignoreCase: true });
        assert.deepEqual(await holders(store, inAnyCase), [text], JSON.stringify(inAnyCase.text));
      }
    }
    assert.deepEqual(await holders(store, literal('.')), ['a.b*c?d+e']);
    assert.deepEqual(await holders(store, literal('%')), ['100% sure_thing $1 ^ |']);
    assert.deepEqual(await holders(store, literal('caf_')), []);
  },
  'heeds case unless asked otherwise, in every script that has one': async (store) => {
    await putTexts(store, 'a.md', [
      'let putDocument = x',
      'let PUTDOCUMENT = x',
      'ÜBER Москва',
      'über МОСКВА',
    ]);
    assert.deepEqual(await holders(store, literal(' putDocument ')), ['let putDocument = x']);
    const both = ['let PUTDOCUMENT = x', 'let putDocument = x'];
    assert.deepEqual(await holders(store, literal(' putdocument ', { ignoreCase: true })), both);
    assert.deepEqual(await holders(store, literal('ÜBER')), ['ÜBER Москва']);
    assert.equal((await holders(store, literal('Über москва', { ignoreCase: true }))).length, 2);
  },
  'finds nothing by an empty literal or half a character': async (store) => {
    await putTexts(store, 'a.md', ['', 'alpha 🦀']);
    for (const text of ['', '\ud83e', '\udd80']) {
      assert.deepEqual(await holders(store, literal(text)), []);
      assert.deepEqual(await holders(store, literal(text, { ignoreCase: true })), []);
    }
  },
  "looks for patterns in a chunk's own text alone": async (store) => {
    const document = documentRecord('src/harbour.ts', { title: 'harbour' });
    const entries = chunkEntries(document, ['body only'], {
      header: 'harbour',
      section: 'harbour',
      symbol: { name: 'harbour', kind: 'method', signature: 'harbour()', scope: ['harbour'] },
      metadata: { place: 'harbour' },
    });
    await putDocument(store, { document, chunks: entries });
    assert.deepEqual(await holders(store, literal('harbour')), []);
    assert.deepEqual(await holders(store, regex('harbour')), []);
    const [match] = await searchPattern(store, literal('body'), { limit: 1 });
    assert.deepEqual(match, { chunk: entries[0]?.chunk, document, score: 1 });
  },
  'finds patterns only in what stands there now': async (store, open) => {
    const reader = await open();
    await putTexts(store, 'a.md', ['an old anchor here']);
    await putTexts(store, 'b.md', ['an old anchor there']);
    await putTexts(store, 'a.md', ['a new anchor here']);
    await deletePaths(store, ['b.md']);
    for (const pattern of [
      literal(' anchor '),
      regex('\\banchor\\b'),
      literal('ANCHOR', { ignoreCase: true }),
    ]) {
      assert.deepEqual(await holders(reader, pattern), ['a new anchor here']);
    }
  },
  'finds patterns only in chunks that pass the filter': async (store) => {
    await putTexts(store, 'src/a.ts', ['a common word'], { type: 'code' });
    await putTexts(store, 'src/b.md', ['a common word']);
    await putTexts(store, 'c.md', ['a common word common'], { modifiedAt: 5 });
    const patterns = [
      literal(' common '),
      literal('ommo'),
      literal('COMMON', { ignoreCase: true }),
      regex('co+'),
    ];
    for (const pattern of patterns) {
      const uris = async (filter: object) =>
        placesOf(await searchPattern(store, pattern, { limit: 10, filter })).map(([uri]) => uri);
      assert.deepEqual((await uris({})).sort(), ['c.md', 'src/a.ts', 'src/b.md']);
      assert.deepEqual(await uris({ types: ['code'] }), ['src/a.ts']);
      assert.deepEqual(await uris({ paths: ['src/**'] }), ['src/a.ts', 'src/b.md']);
      assert.deepEqual(await uris({ paths: ['src/**'], types: ['doc'] }), ['src/b.md']);
      assert.deepEqual(await uris({ until: 6 }), ['c.md']);
      assert.deepEqual(await uris({ symbolKinds: ['class'] }), []);
    }
  },
  'finds chunks by a regular expression, line by line and character by character': async (store) => {
    const texts = ['first line\nsecond line', 'second to none', 'x🦀y', 'nul \0 42', 'Grüße 2024-05-06'];
    await putTexts(store, 'a.md', texts);
    assert.deepEqual(await holders(store, regex('^second')), [texts[0], texts[1]]);
    assert.deepEqual(await holders(store, regex('line$')), [texts[0]]);
    assert.deepEqual(await holders(store, regex('x.y')), [texts[2]]);
    assert.deepEqual(await holders(store, regex('\\0 \\d+')), [texts[3]]);
    assert.deepEqual(await holders(store, regex('\\p{L}+ (\\d+)-\\d\\d')), [texts[4]]);
    assert.deepEqual(await holders(store, regex('GRÜSSE|GRÜßE', { ignoreCase: true })), [texts[4]]);
    assert.deepEqual(await holders(store, regex('GRÜ')), []);
    const [first] = await searchPattern(store, regex('line|second'), { limit: 1 });
    assert.deepEqual([first?.chunk.text, first?.score], [texts[0], 3]);
  },
  'comes to an end with an expression that matches nothing at all, everywhere': async (store) => {
    await putTexts(store, 'a.md', ['', '🦀🦀', 'x'.repeat(50_000)]);
    for (const text of ['', 'q*', '(?=🦀)|(?=x)|^', '$']) {
      assert.equal((await holders(store, regex(text))).length, 3, text);
    }
  },
  'refuses what is no regular expression': async (store) => {
    await putTexts(store, 'a.md', ['alpha']);
    for (const text of ['(', '[z-a]', 'a{2,1}', '\\', '*', '(?<n>a)(?<n>b)', `(${'a|'.repeat(5000)})`]) {
      await assertRefused(searchPattern(store, regex(text), { limit: 10 }), 'usage-invalid');
    }
  },
  'refuses a regular expression that would take for ever, and continues to serve': async (store) => {
    await putTexts(store, 'a.md', [`${'a'.repeat(5_000)}!`]);
    await assertRefused(searchPattern(store, regex('^(a+)+$'), { limit: 10 }), 'usage-invalid');
    assert.equal((await searchPattern(store, regex('a+!'), { limit: 10 })).length, 1);
  },
});
