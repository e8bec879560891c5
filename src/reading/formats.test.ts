import { expect, test } from 'vitest';
import { settingsSchema } from '../settings/settings.ts';
import { readingParts } from './reading.ts';

const { typeOf, languageOf } = readingParts(settingsSchema.parse({}), (text) => text.length);
const typeOfFile = (uri: string) => typeOf(uri, languageOf(uri), undefined);

test.each([
  'main.zig',
  'Parser.hs',
  'schema.sql',
  'App.vue',
  'site.css',
  'src/main.rs',
  'lib/solver.ml',
  'old.zig.gz',
  'Dockerfile',
  'deploy/Dockerfile.web',
  'Makefile',
  'api/shop.proto',
  'Jenkinsfile',
])('%s is code, whether or not there is a grammar for it', (uri) => {
  expect(typeOfFile(uri)).toBe('code');
});

test.each([
  ['README.md', 'doc'],
  ['notes.txt', 'doc'],
  ['package.json', 'data'],
  ['server.log', 'log'],
  ['report.pdf', 'doc'],
  ['rows.csv', 'data'],
])('%s is %s', (uri, type) => {
  expect(typeOfFile(uri)).toBe(type);
});

test.each([
  ['db/schema.sql', 'sql'],
  ['db/schema.sql.gz', 'sql'],
  ['App.vue', 'vue'],
  ['deploy/Dockerfile.web', 'dockerfile'],
  ['web.dockerfile', 'dockerfile'],
  ['src/main.rs', 'rust'],
  ['Makefile', 'make'],
  ['README.md', undefined],
  ['docker.md', undefined],
  ['data.json', undefined],
])('the language of %s is %s', (uri, language) => {
  expect(languageOf(uri)).toBe(language);
});
