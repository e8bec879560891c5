import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChatServer } from '../../test/servers/chat/chat-server.ts';
import { startOpenAiServer } from '../../test/servers/embedding/openai-server.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import type { Filter } from '../core/filter.ts';
import { processEnvironment } from '../platform/environment.ts';
import { resultOf } from '../platform/streams.ts';
import { openProject } from '../project/open-project.ts';
import { joinProjects } from './join-projects.ts';
import type { Member } from './member.ts';
import { severalProjects } from './several-projects.ts';

const plain = {
  'embedder.driver': 'hashing',
  'resources.threads': 1,
  'cache.max_bytes': 0,
  'generator.driver': 'none',
};
const shared = '# Licence\n\nThe turtle licence allows everybody to copy the turtle.\n';
const open: Project[] = [];

async function member(
  name: string,
  files: Record<string, string>,
  settings: Record<string, unknown> = {},
  consent: string[] = [],
): Promise<Member> {
  const folder = await temporaryFolder(files);
  const project = await openProject(folder, { settings: { ...plain, ...settings }, consent });
  open.push(project);
  return { name, folder, use: (work) => work(project) };
}

const several = (members: readonly Member[], patience = 60_000) =>
  severalProjects(members, { environment: processEnvironment, patience });
const messages = (warnings: readonly { message: string }[]) => warnings.map(({ message }) => message);

describe('several projects', () => {
  let api: Member;
  let web: Member;
  beforeAll(async () => {
    const signs =
      '/** Signs the token of a heron session. */\nexport function signToken(heron) {\n  return heron;\n}\n';
    api = await member('api', { 'src/session.js': signs, 'LICENCE.md': shared });
    const keeps =
      '/** Keeps the heron token in the browser. */\nexport function keepToken(heron) {\n  store(heron);\n}\n';
    web = await member('web', { 'src/session.js': keeps, 'LICENCE.md': shared });
  });
  afterAll(async () => {
    for (const project of open.splice(0)) await project.close();
  });

  test('are one list: each hit with its project, and documents of one path stay two', async () => {
    const { hits, warnings, digest } = await several([api, web]).search('heron token', { digest: {} });
    expect(hits.map(({ project, document }) => [project, document.uri])).toEqual(
      expect.arrayContaining([
        ['api', 'api:src/session.js'],
        ['web', 'web:src/session.js'],
      ]),
    );
    expect(new Set(hits.map(({ document }) => document.id)).size).toBe(hits.length);
    expect(warnings).toEqual([]);
    expect(digest?.places.length).toBeGreaterThan(0);
  });

  test('have only those reranked that may have a hit in the list', async () => {
    const answers: [string, boolean][] = [];
    const watched = [api, web].map(
      (each): Member => ({
        ...each,
        use: (work) =>
          each.use((project) =>
            work({
              ...project,
              search: (query, options = {}) =>
                project.search(query, {
                  ...options,
                  isInReach: async (levels) => {
                    const answer = (await options.isInReach?.(levels)) ?? true;
                    answers.push([each.name, answer]);
                    return answer;
                  },
                }),
            }),
          ),
      }),
    );
    const { hits } = await several(watched).search('keepToken', { topK: 1 });
    expect(hits[0]?.project).toBe('web');
    expect(Object.fromEntries(answers)).toEqual({ api: false, web: true });
  });

  test('show a text of both once, with its other place', async () => {
    const { hits } = await several([api, web]).search('turtle licence');
    expect(hits.filter(({ document }) => document.uri.endsWith('LICENCE.md'))).toHaveLength(1);
    expect(hits[0]?.alsoAt).toHaveLength(1);
  });

  test('are read by what is shown of them, and written as one block with passages of both', async () => {
    const all = several([api, web]);
    const reading = await all.read({ place: 'web:src/session.js:1-2' });
    expect(reading).toMatchObject({ uri: 'web:src/session.js', textLines: [1, 2] });
    expect(await all.read({ place: 'api:signToken' })).toMatchObject({ uri: 'api:src/session.js' });
    await expect(all.read({ place: 'src/session.js' })).rejects.toMatchObject({
      code: 'document-not-found',
      remedy: 'Write PROJECT:PLACE, with one of: api, web.',
    });
    await expect(all.read({ place: 'web:gone.js' })).rejects.toThrow(/^web: /);
    const block = await all.context('heron token', { format: 'sources', threshold: 0 });
    expect(new Set(block.sources.map(({ uri }) => uri.split(':')[0]))).toEqual(new Set(['api', 'web']));
  });

  test('quote sentences of each, and know which file still holds them', async () => {
    const { sources, kind } = await resultOf(
      several([api, web]).ask('Who keeps the heron token?', { threshold: 0 }),
    );
    expect(kind).toBe('extractive');
    expect(sources.every(({ onDisk }) => onDisk === 'current')).toBe(true);
  });

  test('answer without the one that fails, hangs or is disabled, which is named', async () => {
    const broken: Member = { name: 'broken', folder: '/b', use: () => Promise.reject(new Error('torn')) };
    const stuck: Member = { name: 'stuck', folder: '/s', use: () => new Promise(() => {}) };
    const off = await member('off', { 'quarry.toml': 'enabled = false\n' });
    const { hits, warnings } = await several([broken, api, stuck, off], 2_000).search('heron token');
    expect(hits[0]?.project).toBe('api');
    expect(messages(warnings)).toEqual([
      expect.stringMatching(/^off: .* is disabled/),
      'broken: torn',
      'stuck: No answer within 2 seconds: its hits are missing.',
    ]);
    await expect(several([broken]).search('heron')).rejects.toThrow('broken: torn');
  });

  test('leave out one that a filter knows nothing of, without a word', async () => {
    const notes = await member('notes', { 'a.md': '# Heron\n\nA heron token in prose.\n' });
    const { hits, warnings } = await several([api, notes]).search('heron', {
      filter: { languages: ['javascript'] },
    });
    expect(new Set(hits.map(({ project }) => project))).toEqual(new Set(['api']));
    expect(warnings).toEqual([]);
  });

  test('say once that none of them has a place or a type, and nothing of those that lack what another has', async () => {
    const notes = await member('notes', { 'a.md': '# Heron\n\nA heron in prose.\n' });
    const said = async (filter: Filter) =>
      messages((await several([api, web, notes]).search('heron', { filter })).warnings);
    expect(await said({ paths: ['src/**'] })).toEqual([]);
    expect(await said({ paths: ['nowhere/**'] })).toEqual(['No indexed file is within `in` and `path`.']);
    expect(await said({ types: ['commit'] })).toEqual(['No commit is indexed here.']);
  });

  test('count occurrences of all, and ask one folder under two names once', async () => {
    const twice = { ...api, name: 'again' };
    const { analysis, hits } = await several([api, web, twice]).search('heron session', { route: 'exact' });
    expect(analysis?.occurrences).toMatchObject({ total: 1, documents: 1, isComplete: true });
    expect(hits.map(({ project }) => project)).toEqual(['api']);
  });

  test('are joined by a program under names of its choice', async () => {
    const [first] = open;
    if (!first) throw new Error('no project');
    const { hits } = await joinProjects({ mine: first }).search('heron session');
    expect(hits[0]?.document.uri).toBe('mine:src/session.js');
    expect(() => joinProjects({ c: first })).toThrow('cannot stand before a path');
  });

  test('stop with their caller', async () => {
    const signal = AbortSignal.abort();
    await expect(several([api, web]).search('heron', { signal })).rejects.toMatchObject({
      code: 'interrupted',
    });
  });

  test('send no sentence of one to the embedding server of another', async () => {
    const server = await startOpenAiServer();
    const remote = {
      'embedder.driver': 'openai',
      'embedder.url': server.url,
      'embedder.model': 'test-embedding',
    };
    try {
      const sent = await member(
        'sent',
        { 'a.md': '# Heron\n\nThe browser keeps the heron token.\n' },
        remote,
      );
      const kept = await member('kept', { 'b.md': '# Heron\n\nThe heron token is buried in the garden.\n' });
      for (const one of [sent, kept])
        await one.use(async (project) => resultOf(project.freshen({ update: true })));
      for (const members of [
        [sent, kept],
        [kept, sent],
      ]) {
        const { answer } = await resultOf(
          several(members).ask('Where is the heron token?', { threshold: 0 }),
        );
        expect(answer).toContain('buried in the garden');
      }
      const texts = JSON.stringify(server.calls.map(({ body }) => String(body)));
      expect(texts).toContain('heron token');
      expect(texts).not.toContain('buried');
    } finally {
      await server.close();
    }
  });

  test('have a model write only where each has that model and may be sent to it', async () => {
    const server = await startChatServer({ protocol: 'openai', write: () => ['The browser keeps it [1].'] });
    const model = { 'generator.driver': 'openai', 'generator.url': server.url, 'generator.model': 'm' };
    try {
      const one = await member('one', { 'a.md': '# Heron\n\nThe browser keeps the heron token.\n' }, model);
      const other = await member('other', { 'b.md': '# Heron\n\nThe heron token is signed.\n' }, model);
      const ask = (members: Member[]) =>
        resultOf(several(members).ask('Who keeps the heron token?', { threshold: 0 }));
      expect(await ask([one, other])).toMatchObject({ kind: 'generated', model: 'm' });
      const calls = server.calls.length;
      const { kind, warnings } = await ask([one, api]);
      expect(kind).toBe('extractive');
      expect(messages(warnings)).toContainEqual(
        expect.stringMatching(/^api is not set up with the same model/),
      );
      expect(server.calls).toHaveLength(calls);
    } finally {
      await server.close();
    }
  });
});
