import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import base, { all } from './vitest.config.ts';

/** Modules with which a test starts a process, a server, a browser or a model, or builds, packs or opens a whole project. */
const slow = [
  '([a-z]+-)?(server|azurite|object-store)\\.fixture',
  'servers/[a-z]+/',
  'quarry-(process|call)',
  'packed-install',
  'open-page',
  'browser',
  '[a-z-]+-suite',
  'resident(-user)?',
  'open-project',
  '(src/)?index',
  'node:(child_process|worker_threads)',
  'threads/',
  'inference/',
  'embedders/local/',
  'rerankers/cross-encoder/',
].join('|');
const slowImport = new RegExp(String.raw`(from |import |import\()'([^']*/)?(${slow})[^/']*'`);
// Each commit of LanceDB takes a tenth of a second.
const exclude = globSync(all).filter(
  (file) => file.includes('lancedb') || slowImport.test(readFileSync(file, 'utf8')),
);

/** `npm run test:fast`: what needs no process, server, browser, package or model. */
export default defineConfig({
  ...base,
  test: { ...base.test, exclude: [...(base.test?.exclude ?? []), ...exclude] },
});
