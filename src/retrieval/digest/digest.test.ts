import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import type { Hit } from '../../core/hit.ts';
import { openProject } from '../../index.ts';
import { resultOf } from '../../platform/streams.ts';
import { type DigestRequest, digestOf } from './digest.ts';

const body = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `  const ${name}${at} = compute(${at}, '${name}', input);`).join(
    '\n',
  );
const comment = [
  '/**',
  ' * Moors a ferry at its pier. It takes the rope first.',
  ...Array.from({ length: 12 }, (_, at) => ` * Further word ${at} of the comment, which nobody needs.`),
  ' */',
].join('\n');
const files = {
  'src/moor.ts': `${comment}\nexport function moorFerry(input: number) {\n${body('moor', 30)}\n}\n`,
  'src/long.ts': `/** Steers a ferry. */\nexport function steerFerry(input: number) {\n${body('steer', 80)}\n  if (input > 7) throw new Error('the rudder is jammed');\n${body('turn', 80)}\n}\n`,
  'src/anchor.ts': `export function dropAnchor(input: number) {\n${body('drop', 26)}\n}\n`,
  'src/resident.ts':
    '/** Starts the resident. */\nexport function startResident() {\n  return spawnResident();\n}\n',
  'src/resident-end.ts':
    '/** Ends the resident. */\nexport function endResident() {\n  return killResident();\n}\n',
  'docs/ferry.md': '# Ferries\n\nA ferry goes at noon.\n',
  'docs/rope.md': '# Ropes\n\nA rope of the ferry is changed each year.\n',
};

let project: Project;
beforeAll(async () => {
  const folder = await temporaryFolder(files);
  project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  await resultOf(project.freshen({ update: true }));
});
afterAll(() => project.close());

/** What is shown of the hits of a query, as if they had these relevances. */
async function shown(query: string, relevances: readonly number[], more: Partial<DigestRequest> = {}) {
  const { hits } = await project.search(query, { update: false, topK: relevances.length, threshold: 0 });
  const given: Hit[] = hits.map((hit, at) => ({ ...hit, relevance: relevances[at] ?? 0 }));
  return digestOf(await project.store(), given, { query, isLiteral: false, ...more });
}

const linesOf = (path: keyof typeof files) => files[path].split('\n');

test('a strong first hit is shown whole, though it was cut into chunks, with its long comment folded', async () => {
  const { verdict, lead, places } = await shown('moorFerry', [0.9, 0.6]);
  expect(verdict).toBe('clear');
  expect(lead).toMatchObject({ path: 'src/moor.ts', name: 'moorFerry', is_whole: true });
  const [head, rest] = lead?.pieces ?? [];
  expect(head?.text).toContain('Moors a ferry at its pier.');
  expect(rest?.text).toContain('moor29');
  expect(JSON.stringify(lead?.pieces)).not.toContain('Further word 9');
  expect(places).toHaveLength(1);
});

test('a definition that is shown in part is said to be long where it was cut into three parts or more', async () => {
  const long = await shown('the rudder is jammed', [0.9]);
  expect(long).toMatchObject({ next: ['src/long.ts#steerFerry'], is_long: true });
  expect(await shown('dropAnchor', [0.4])).toMatchObject({
    next: ['src/anchor.ts#dropAnchor'],
    is_long: false,
  });
});

test('beside the first hit no block of imports is shown, but the next place that defines something', async () => {
  const { hits } = await project.search('resident', {
    update: false,
    topK: 2,
    threshold: 0,
    byDocument: false,
  });
  const [first, other] = hits as [Hit, Hit];
  const { symbol: _, ...chunk } = other.chunk;
  const imports = { ...other, chunk: { ...chunk, id: 'imports', section: '' } };
  const given = [{ ...first, relevance: 0.9, more: [imports, other] }];
  const { lead } = await digestOf(await project.store(), given, { query: 'resident', isLiteral: false });
  expect(lead?.beside?.name).toBe(other.chunk.symbol?.name);
});

test('of a longer one the lines that match are shown, and every line has its own number', async () => {
  const { lead } = await shown('steerFerry rudder jammed', [0.9]);
  const pieces = lead?.pieces ?? [];
  expect(lead?.is_whole).toBe(false);
  expect(pieces[0]?.text).toContain('Steers a ferry');
  expect(pieces.map(({ text }) => text).join('\n')).toContain('the rudder is jammed');
  const own = pieces.flatMap(({ line = 0, text }) =>
    text.split('\n').map((each, at) => [line + at, each] as const),
  );
  expect(own.length).toBeLessThan(75);
  for (const [line, text] of own) expect(text).toBe(linesOf('src/long.ts')[line - 1]);
});

test('a possible first hit is shown by a few lines, and a weak one by none', async () => {
  const { verdict, lead } = await shown('steerFerry rudder jammed', [0.3]);
  expect(verdict).toBe('open');
  const count = lead?.pieces.reduce((sum, { text }) => sum + text.split('\n').length, 0) ?? 0;
  expect(count).toBeGreaterThan(3);
  expect(count).toBeLessThan(30);
  const weak = await shown('steerFerry rudder jammed', [0.1, 0.1]);
  expect(weak).toMatchObject({ verdict: 'weak', weaker: [] });
  expect(weak.lead).toBeUndefined();
  expect(weak.places).toHaveLength(2);
});

test('weak hits far below the first are named by their places alone', async () => {
  const { places, weaker } = await shown('ferry rope', [0.8, 0.3, 0.14, 0.05]);
  expect(places).toHaveLength(1);
  expect(weaker).toHaveLength(2);
  expect(weaker[0]).toMatch(/:\d+-\d+$/);
  expect((await shown('ferry rope', [0.2, 0.1, 0.05])).weaker).toHaveLength(1);
});

test('a line about a hit is the first sentence of its comment, else the line that matches best with its number', async () => {
  const { places } = await shown('rope of a ferry, starts the resident', [0.1, 0.1, 0.1, 0.1, 0.1]);
  const about = Object.fromEntries(places.map((place) => [place.path, place.about]));
  expect(about['src/resident.ts']).toBe('Starts the resident.');
  expect(about['docs/rope.md']).toBe('3: A rope of the ferry is changed each year.');
});

test('where all is weak, words that no text has are named, and those of the project near them', async () => {
  const { words, missing } = await shown('start daemon', [0.1, 0.1, 0.1]);
  expect(missing).toEqual(['daemon']);
  expect(words).toContain('resident');
  const strong = await shown('startResident', [0.9]);
  expect([strong.words, strong.missing]).toEqual([[], []]);
});

test('no word is said to be missing where there is no text at all', async () => {
  const empty = await openProject(await temporaryFolder({}), { settings: { 'embedder.driver': 'hashing' } });
  await resultOf(empty.freshen({ update: true }));
  const nothing = await digestOf(await empty.store(), [], { query: 'start here', isLiteral: false });
  expect(nothing.missing).toEqual([]);
  const unanswered = await digestOf(await project.store(), [], { query: 'xylophone', isLiteral: false });
  expect(unanswered.missing).toEqual(['xylophone']);
  await empty.close();
});

test('a text that the caller knows is a line, and brief shows lines alone', async () => {
  const first = await shown('moorFerry', [0.9, 0.6]);
  const again = await shown('moorFerry', [0.9, 0.6], { known: first.lead?.chunks });
  expect(again.lead).toBeUndefined();
  expect(again.places[0]).toMatchObject({ path: 'src/moor.ts', was_shown: true });
  const brief = await shown('moorFerry', [0.9, 0.6], { isBrief: true });
  expect(brief.lead).toBeUndefined();
  expect(brief.places).toHaveLength(2);
});

test('hits of a literal text are listed, each with a line that has it', async () => {
  const { verdict, lead, places } = await shown('rudder is jammed', [1], { isLiteral: true });
  expect([verdict, lead]).toEqual(['listed', undefined]);
  expect(places[0]?.about).toContain('the rudder is jammed');
});

test('the first four hits have a few lines that match, those behind a strong one where they are not weak', async () => {
  const { lead, places } = await shown('ferry rope', [0.3, 0.25, 0.2, 0.18, 0.17]);
  expect(lead).toBeDefined();
  expect(places.map(({ pieces }) => pieces !== undefined)).toEqual([true, true, true, false]);
  for (const { pieces = [] } of places)
    expect(pieces.flatMap(({ text }) => text.split('\n')).length).toBeLessThan(14);
  const clear = await shown('ferry rope', [0.9, 0.5, 0.14]);
  expect(clear.places.map(({ pieces }) => pieces !== undefined)).toEqual([true]);
});

test('the best further place of the first document has lines in place of the fourth hit, unless they are shown already', async () => {
  const { hits } = await project.search('rope of a ferry, starts the resident', {
    update: false,
    topK: 5,
    threshold: 0,
  });
  const [first, further, ...others] = hits as [Hit, Hit, ...Hit[]];
  const given = [{ ...first, more: [first, further] }, ...others].map((hit) => ({ ...hit, relevance: 0.4 }));
  const request = { query: 'ferry rope', isLiteral: false };
  const { lead, places } = await digestOf(await project.store(), given, request);
  const { citation: ownPlace = '' } = lead ?? {};
  expect(lead?.beside?.pieces.length).toBeGreaterThan(0);
  expect(lead?.beside?.citation).not.toBe(ownPlace);
  expect(lead?.further).not.toContain(lead?.beside?.citation);
  expect(places.map(({ pieces }) => pieces !== undefined)).toEqual([true, true, false]);
  const known = { ...request, known: [further.chunk.id] };
  expect((await digestOf(await project.store(), given, known)).lead?.beside).toBeUndefined();
  const brief = { ...request, isBrief: true };
  expect((await digestOf(await project.store(), given, brief)).places[0]?.beside).toBeUndefined();
  const weak = given.map((hit) => ({ ...hit, relevance: 0.12 }));
  const nothingStrong = await digestOf(await project.store(), weak, request);
  expect(nothingStrong.places[0]?.beside?.citation).toMatch(/^src\//);
});

test('of weak hits no lines are shown where questions share an answer', async () => {
  const weak = [0.12, 0.11, 0.1];
  const sampled = async (room?: number) =>
    (await shown('ferry rope', weak, { ...(room && { room }) })).places.filter(({ pieces }) => pieces).length;
  expect([await sampled(), await sampled(2000)]).toEqual([3, 0]);
  const open = await shown('ferry rope', [0.3, 0.2, 0.1], { room: 2000 });
  expect(open.places.map(({ pieces }) => pieces !== undefined)).toEqual([true, false]);
});

test('what is shown in part is named as read takes it, and what is shown whole is not', async () => {
  const { next, lead } = await shown('steerFerry rudder jammed', [0.9]);
  expect([lead?.is_whole, next]).toEqual([false, ['src/long.ts#steerFerry']]);
  expect((await project.read({ place: next[0] ?? '', update: false })).text).toContain('turn79');
  expect((await shown('startResident', [0.9])).next).toEqual([]);
  expect((await shown('steerFerry rudder jammed', [0.9], { isBrief: true })).next).toEqual([]);
});

test('the texts of an answer stay within its room, the first one within two thirds of it', async () => {
  const length = (pieces: readonly { readonly text: string }[] = []) =>
    pieces.reduce((sum, { text }) => sum + text.length, 0);
  for (const room of [900, 6000]) {
    const { lead, places } = await shown('steerFerry ferry rudder', [0.9, 0.6, 0.5, 0.4], { room });
    expect(length(lead?.pieces)).toBeLessThanOrEqual((2 * room) / 3);
    expect(places.reduce((sum, { pieces }) => sum + length(pieces), 0)).toBeLessThanOrEqual(room / 3);
  }
});
