import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../../test/property-draws.ts';
import { contextHeader, embeddedText } from './chunk.ts';
import { typeRules } from './documents/document-type.ts';
import { type ErrorCode, errorCatalogue, replacedCodes } from './error-catalogue.ts';
import { asQuarryError, errorFromData, errorToData, exitCodeOf, QuarryError } from './errors.ts';
import { chunkPasses, documentPasses } from './filter.ts';
import { pathMatcher } from './globs/glob.ts';
import { chunkIds, documentId, embeddingKey, sha256 } from './identity.ts';
import { median } from './median.ts';
import { identifierParts, looksLikeIdentifier, queryTerms, terms } from './text/terms.ts';

describe('identity', () => {
  test('is sha256 of path and content, cut to 16 hex digits', () => {
    expect(chunkIds('a.md', ['text'])).toEqual([sha256('a.mdtext').slice(0, 16)]);
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  test('is unique where a file repeats itself, and stable under edits elsewhere', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }), (contents) => {
        const ids = chunkIds('x', contents);
        expect(new Set(ids).size).toBe(contents.length);
        expect(chunkIds('x', [...contents, 'new'])).toEqual([...ids, chunkIds('x', ['new'])[0]]);
        for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
      }),
    );
  });

  test('of a document does not change with its content, of an embedded text it does', () => {
    expect(documentId('a.md')).toMatch(/^[0-9a-f]{16}$/);
    expect(embeddingKey('a')).not.toBe(embeddingKey('b'));
    expect(embeddedText({ header: 'H', text: 't' })).toBe('H\n\nt');
    expect(embeddedText({ header: '', text: 't' })).toBe('t');
    expect(contextHeader('docs/guide.v2/a.test.ts', 'Class > method')).toBe(
      'docs > guide.v2 > a.test > Class > method',
    );
    expect(contextHeader('virtual:talk.md', '')).toBe('talk');
    expect(contextHeader('.env.d/x', '')).toBe('.env.d > x');
  });
});

describe('terms', () => {
  test('are the same where a text has nothing but ASCII', () => {
    const pieces = fc.constantFrom('putDocument', 'HTTP2', '_a$b', 'x1', '-', ' ', 'Aa', 'snake_case2', '\n');
    fc.assert(
      fc.property(fc.array(pieces), (drawn) => {
        const text = drawn.join('');
        expect(terms(`${text} 鍵`)).toEqual([...terms(text), '鍵']);
      }),
      { numRuns: draws(200) },
    );
  });

  test.each([
    ['putDocument', ['putdocument', 'put', 'document']],
    ['snake_case2', ['snake_case2', 'snake', 'case', '2']],
    ['XMLHttpRequest', ['xmlhttprequest', 'xml', 'http', 'request']],
    ['HTML', ['html']],
    ['café Ångström', ['cafe', 'angstrom']],
    ['__init__', ['init']],
    ['$scope', ['scope']],
    ['日本語', ['日本', '本語']],
    ['v2ray', ['v2ray', 'v', '2', 'ray']],
    ['plain words here', ['plain', 'words', 'here']],
    ['', []],
    ['___ --- ...', []],
  ])('of %j are %j', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  test('of a word with long rows of underscores are found in no time', () => {
    const row = '_'.repeat(500_000);
    expect(terms(`${row}a${row}b$`)).toEqual([`a${row}b`]);
  });

  test('of any text are lower-case and without separators', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const term of terms(text)) expect(term).toMatch(/^[\p{L}\p{N}\p{M}_]+$/u);
      }),
    );
  });

  test('of a question leave out words that say nothing, unless there is nothing else', () => {
    expect(queryTerms('how does the store replace a document?')).toEqual(['store', 'replace', 'document']);
    expect(queryTerms('what is it?')).toEqual(['what', 'is', 'it']);
    expect(queryTerms('a a a')).toEqual(['a', 'a', 'a']);
    expect(queryTerms('vitamin D x1b2')).toEqual(['vitamin', 'd', 'x1b2']);
    expect(queryTerms('data, and more data')).toEqual(['data', 'more', 'data']);
  });

  test('distinguish names of code from prose', () => {
    expect(['putDocument', 'snake_case', 'HTTP2', '$el'].every(looksLikeIdentifier)).toBe(true);
    expect(['Document', 'store', 'USA', 'e-mail', ''].some(looksLikeIdentifier)).toBe(false);
    expect(identifierParts('getURLFor2')).toEqual(['get', 'url', 'for', '2']);
  });
});

describe('filters', () => {
  const document = {
    id: '1',
    uri: 'src/a/b.test.ts',
    title: '',
    type: 'code',
    origin: 'file' as const,
    mediaType: '',
    revision: '',
    modifiedAt: 1000,
    metadata: { language: 'typescript' },
  };

  test.each([
    [['src/**'], true],
    [['*.ts'], true],
    [['*.md'], false],
    [['src'], true],
    [['src/'], true],
    [['./src/**'], true],
    [['!*.test.ts'], false],
    [['src/**', '!src/a/**'], false],
    [['lib/**', 'src/**'], true],
    [['src/*.ts'], false],
  ])('by path %j: %s', (paths, passes) => {
    expect(pathMatcher(paths)('src/a/b.test.ts')).toBe(passes);
  });

  test('take brackets in folder names as they stand', () => {
    expect(pathMatcher(['app/(auth)/**'])('app/(auth)/page.tsx')).toBe(true);
    expect(pathMatcher(['app/(auth)/**'])('app/auth/page.tsx')).toBe(false);
    expect(pathMatcher(['app/@(a|b)/*.ts'])('app/b/x.ts')).toBe(true);
    expect(pathMatcher(['**/(group)'])('x/(group)')).toBe(true);
  });

  test.each(['', '!', '/', 'x'.repeat(100_000)])('refuse a pattern that is none', (glob) => {
    expect(() => pathMatcher([glob])).toThrowError(expect.objectContaining({ code: 'usage-invalid' }));
  });

  test('combine their fields with AND', () => {
    expect(documentPasses({}, document)).toBe(true);
    expect(
      documentPasses(
        { types: ['code', 'doc'], languages: ['typescript'], since: 1000, until: 1001 },
        document,
      ),
    ).toBe(true);
    for (const filter of [{ types: ['doc'] }, { origins: ['virtual' as const] }, { languages: ['go'] }]) {
      expect(documentPasses({ types: ['code'], ...filter }, document)).toBe(false);
    }
    expect(chunkPasses({ symbolKinds: ['class'] }, {}, document)).toBe(false);
    expect(chunkPasses({}, {}, document)).toBe(true);
  });

  test('a chunk is as old as it says, and as its document where it says nothing', () => {
    expect(chunkPasses({ since: 1000, until: 1001 }, {}, document)).toBe(true);
    for (const filter of [{ since: 1001 }, { until: 1000 }])
      expect(chunkPasses(filter, {}, document)).toBe(false);
    expect(chunkPasses({ since: 1001 }, { writtenAt: 1001 }, document)).toBe(true);
    expect(chunkPasses({ since: 1000 }, { writtenAt: 999 }, document)).toBe(false);
  });
});

test('types come from the user first, then from the language, then from the built-in rules', () => {
  const typeOf = typeRules({ adr: ['docs/decisions/**'], spec: ['*.test.ts'] });
  expect(typeOf('docs/decisions/1.md', undefined)).toBe('adr');
  expect(typeOf('a.test.ts', 'typescript')).toBe('spec');
  expect(typeOf('a.ts', 'typescript')).toBe('code');
  expect(typeOf('server.log', undefined)).toBe('log');
  expect(typeOf('package.json', undefined)).toBe('data');
  expect(typeOf('README.md', undefined)).toBe('doc');
  const withSource = typeRules({ spec: ['*.test.zig'] }, (uri) => uri.endsWith('.zig'));
  expect(withSource('build.zig', undefined)).toBe('code');
  expect(withSource('build.test.zig', undefined)).toBe('spec');
});

describe('errors', () => {
  test('every code has a summary, an exit code of its kind and an HTTP status', () => {
    for (const { summary, exitCode, httpStatus } of Object.values(errorCatalogue)) {
      expect(summary).toMatch(/^[A-Z`].*\.$/);
      expect(exitCode).toBeGreaterThan(0);
      expect(httpStatus).toBeGreaterThanOrEqual(400);
    }
  });

  test('the HTTP status blames the side that has to act', () => {
    const fitting = {
      caller: [400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 499],
      project: [409],
      machine: [500, 501, 503],
      provider: [502, 503, 504],
    };
    for (const { httpStatus, blames } of Object.values(errorCatalogue))
      expect(fitting[blames]).toContain(httpStatus);
    expect(errorCatalogue['provider-key'].httpStatus).toBe(502);
  });

  test('anything thrown becomes an error with a code and a remedy', () => {
    const known = new QuarryError('usage-invalid', 'm', 'r');
    expect(asQuarryError(known)).toBe(known);
    expect(asQuarryError(new TypeError('boom'))).toMatchObject({ code: 'internal', message: 'boom' });
    expect(asQuarryError('text')).toMatchObject({
      code: 'internal',
      message: 'text',
      exitCode: 1,
      httpStatus: 500,
    });
    expect(asQuarryError(AbortSignal.abort().reason)).toMatchObject({ code: 'interrupted', exitCode: 130 });
  });

  test('a code of 0.1.0 that is part of another one is read as that, and a code of no version as a defect', () => {
    for (const [code, now] of replacedCodes) {
      expect(Object.keys(errorCatalogue)).not.toContain(code);
      expect(errorFromData({ code, message: 'm', remedy: 'r' }).code).toBe(now);
      expect(exitCodeOf(code)).toBe(errorCatalogue[now].exitCode);
      // A driver that was written for 0.1.0 throws it.
      expect(new QuarryError(code as ErrorCode, 'm', 'r')).toMatchObject({ code: now, remedy: 'r' });
    }
    for (const code of ['nonsense', 'constructor', '__proto__'])
      expect(errorFromData({ code, message: 'm', remedy: 'r' }).code).toBe('internal');
  });

  test('an error that crosses to another thread or machine keeps code, message, remedy and when to try again', () => {
    const error = new QuarryError('provider-limited', 'm', 'r', { retryAfter: 500, cause: 'x' });
    const crossed = errorFromData(JSON.parse(JSON.stringify(errorToData(error))));
    expect(crossed).toBeInstanceOf(QuarryError);
    expect(crossed).toMatchObject({ code: 'provider-limited', message: 'm', remedy: 'r', retryAfter: 500 });
    expect(errorToData(new QuarryError('internal', 'm', 'r'))).toEqual({
      code: 'internal',
      message: 'm',
      remedy: 'r',
    });
  });

  test('a code that another version wrote is internal here, with its message and remedy', () => {
    const crossed = errorFromData({ code: 'not-known-yet', message: 'm', remedy: 'r' });
    expect(crossed).toMatchObject({ code: 'internal', message: 'm', remedy: 'r', exitCode: 1 });
  });
});

test('the median is the number in the middle, or between both in the middle', () => {
  expect([[], [3], [5, 1], [9, 1, 4]].map(median)).toEqual([0, 3, 3, 4]);
});
