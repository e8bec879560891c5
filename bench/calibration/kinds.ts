import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Hit } from '../../src/core/hit.ts';
import { possibleFrom } from '../../src/core/relevance.ts';
import { linesOf } from '../../src/core/text/citation.ts';
import { plainText } from '../../src/core/text/terms.ts';
import type { GivenSettings } from '../../src/evaluation/evaluation-set.ts';
import { touch } from '../../src/evaluation/labels/judgement.ts';
import { openProject } from '../../src/project/open-project.ts';
import { writeFolder } from '../collections/work-folder.ts';
import { questionsAbout } from '../collections/written-questions.ts';
import { type CorpusFile, type KindQuery, queriesByRule, queriesOffTopic } from './kinds-queries.ts';

/** How queries by kind are asked. */
export interface KindsOptions {
  readonly settings: GivenSettings;
  readonly cacheFolder: string;
  readonly textOnly: boolean;
  /** Numbers of files of a corpus. */
  readonly sizes: readonly number[];
  /** Corpora of each size, at most. */
  readonly corpora: number;
}

/** What came of one query. */
export interface Asked {
  readonly kind: string;
  readonly type: KindQuery['type'];
  readonly size: number;
  readonly hits: readonly { readonly relevance: number; readonly isRight: boolean }[];
}

/** Hits of a query that are judged. */
const judgedHits = 10;
/** Files of a folder that are read, and queries of one kind that one corpus is asked, at most. */
const maxFiles = 5_000;
const maxPerKind = 12;
const maxBytes = 200_000;

/** Builds corpora of every size from the files of some folders, and asks each of them queries of every kind. */
export async function* askKinds(folders: readonly string[], options: KindsOptions): AsyncGenerator<Asked> {
  const read = await Promise.all(folders.map(async (folder) => ({ folder, files: await filesIn(folder) })));
  for (const size of options.sizes) {
    const corpora =
      size > 50
        ? [{ folder: '', files: read.flatMap(({ files }) => files).slice(0, size) }]
        : read.flatMap(({ folder, files }) =>
            groupsOf(files, size, 2).map((group) => ({ folder, files: group })),
          );
    for (const corpus of evenly(corpora, options.corpora)) yield* askCorpus(corpus, size, options);
  }
}

async function* askCorpus(
  { folder, files }: { readonly folder: string; readonly files: readonly CorpusFile[] },
  size: number,
  { settings, cacheFolder, textOnly }: KindsOptions,
): AsyncGenerator<Asked> {
  const home = await mkdtemp(join(cacheFolder, 'kinds-'));
  await writeFolder(home, entriesOf(files));
  const project = await openProject(home, { settings });
  try {
    const giveWay = textOnly ? { giveWay: AbortSignal.abort() } : {};
    for await (const event of project.index(giveWay)) if (event.type === 'vectors-failed') throw event.error;
    const known = (await project.manifest()).filter(({ status }) => status === 'indexed');
    const indexed = new Set(known.map(({ uri }) => uri));
    const asking = files.filter(({ path }) => indexed.has(path));
    const byKind = Map.groupBy(queriesByRule(asking), ({ kind, type }) => `${kind} ${type}`);
    const asked = [...byKind.values()].flatMap((own) => evenly(own, maxPerKind));
    for (const query of [...asked, ...writtenAbout(folder, asking), ...queriesOffTopic()]) {
      const { hits } = await project.search(query.text, {
        update: false,
        topK: judgedHits,
        threshold: 0,
        byDocument: false,
        ...(textOnly && { denseWeight: 0 }),
      });
      const judged = hits.map((hit) => ({ relevance: hit.relevance, isRight: isRight(hit, query) }));
      yield { kind: query.kind, type: query.type, size, hits: judged };
    }
  } finally {
    await project.close();
    await rm(home, { recursive: true, force: true });
  }
}

function isRight({ chunk, document }: Hit, { words, places }: KindQuery): boolean {
  if (words) {
    // A word within a name, or with another ending, is there too.
    const held = plainText(`${chunk.header}\n${chunk.text}`);
    return words.every((word) => held.includes(word));
  }
  const lines = linesOf(chunk.place);
  return (places ?? []).some((place) => place.path === document.uri && lines && touch(place.lines, lines));
}

/** The written questions about a package, as far as the corpus has a file that answers. */
function writtenAbout(folder: string, files: readonly CorpusFile[]): KindQuery[] {
  const types = new Map(files.map(({ path, type }) => [path, type]));
  return questionsAbout(basename(folder), false).flatMap(({ text, labels }): KindQuery[] => {
    const places = labels.flatMap(({ path, lines }) => (lines && types.has(path) ? [{ path, lines }] : []));
    const type = types.get(places[0]?.path ?? '');
    return type ? [{ kind: 'question', type, text, places }] : [];
  });
}

/** Files of a folder with what can be made of its prose: a mail of a paragraph, written today since old mail is left out, and a log of lines. */
async function filesIn(folder: string): Promise<CorpusFile[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: CorpusFile[] = [];
  for (const entry of names.filter((one) => one.isFile()).slice(0, maxFiles)) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (path.includes('.quarry/')) continue;
    const content = await readFile(join(folder, path), 'utf8');
    if (content.length > maxBytes || content.includes('\uFFFD')) continue;
    const isDocs = /\.(?:md|txt|rst|adoc|[1-8])$/.test(path);
    files.push({ path, content, type: isDocs ? 'docs' : 'code' });
    if (isDocs) files.push(...madeOf(path, content));
  }
  return files;
}

function madeOf(path: string, content: string): CorpusFile[] {
  const paragraphs = content
    .split(/\n\s*\n/)
    .filter((text) => text.split(/\s+/).length > 20 && /^\p{L}/u.test(text));
  const stem = path.replace(/[^\w]+/g, '-');
  const mails = paragraphs.slice(0, 3).map((text, at): CorpusFile => {
    const subject = text.split(/\s+/).slice(0, 6).join(' ');
    const head = `From: someone@example.org\nTo: list@example.org\nSubject: ${subject}\nDate: ${new Date().toUTCString()}`;
    return { path: `mail/${stem}-${at}.eml`, content: `${head}\n\n${text}\n`, type: 'mail' };
  });
  const lines = paragraphs.slice(3, 9).flatMap((text) => text.split('\n').slice(0, 3));
  const stamped = lines.map(
    (line, at) => `2026-06-01T10:${String(at % 60).padStart(2, '0')}:00Z INFO ${line.trim()}`,
  );
  if (stamped.length < 4) return mails;
  return [...mails, { path: `logs/${stem}.log`, content: `${stamped.join('\n')}\n`, type: 'logs' }];
}

async function* entriesOf(files: readonly CorpusFile[]) {
  yield* files;
}

/** Up to so many groups of files, of every type where there are several. */
function groupsOf(files: readonly CorpusFile[], size: number, max: number): CorpusFile[][] {
  const types = [...Map.groupBy(files, ({ type }) => type).values()];
  const mixed = files.flatMap((_, at) => types.flatMap((own) => own[at] ?? []));
  if (mixed.length < size) return [];
  return Array.from({ length: max }, (_, at) => mixed.slice(at * size, (at + 1) * size)).filter(
    (group) => group.length === size,
  );
}

function evenly<Item>(items: readonly Item[], max: number): Item[] {
  if (items.length <= max) return [...items];
  return Array.from({ length: max }, (_, at) => items[Math.floor((at * items.length) / max)] as Item);
}

const levels = [0.3, 0.5, 0.7];

/** For each kind, type and size: how many of the hits above a relevance are right, and what is not found. */
export function kindsReport(asked: readonly Asked[]): string {
  const table = (title: string, keyOf: (one: Asked) => string) => {
    const head = [
      title,
      'queries',
      ...levels.map((level) => `right from ${level}`),
      'nothing',
      'right in five, returned at 0.3',
    ];
    const rows = [...Map.groupBy(asked, keyOf)].map(([key, own]) => [key, `${own.length}`, ...cellsOf(own)]);
    return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
  };
  return [
    table('kind', ({ kind }) => kind),
    table('kind of file', ({ type }) => (type === 'any' ? 'off topic' : type)),
    table('files', ({ size, type }) => (type === 'any' ? `${size}, off topic` : `${size}`)),
  ].join('\n\n');
}

function cellsOf(own: readonly Asked[]): string[] {
  const hits = own.flatMap((one) => one.hits);
  const shares = levels.map((level) => {
    const above = hits.filter(({ relevance }) => relevance >= level);
    const right = above.filter((hit) => hit.isRight).length;
    return above.length === 0 ? '-' : `${Math.round((100 * right) / above.length)} % of ${above.length}`;
  });
  const nothing = own.filter((one) => one.hits.every(({ relevance }) => relevance < possibleFrom)).length;
  const firstFive = own.map((one) => one.hits.slice(0, 5).filter(({ isRight }) => isRight));
  const found = firstFive.filter((right) => right.length > 0).length;
  const returned = firstFive.filter((right) => right.some(({ relevance }) => relevance >= 0.3)).length;
  return [...shares, `${nothing}`, `${returned} of ${found}`];
}
