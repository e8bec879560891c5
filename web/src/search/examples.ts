import { testPath } from '../../../src/core/documents/test-path.ts';
import { perform } from '../api/operations.ts';

/** A question that this corpus answers, and what it shows of the ways to ask. */
export interface Example {
  readonly query: string;
  readonly shows: string;
}

/** Documents of which some are looked at for examples: those that changed last. */
const known = 1000;
const looked = 14;
/** A heading with fewer words is a poor question. */
const minWords = 3;
const maxLength = 90;

const questionShows = 'words: found by their meaning too';

/** Questions to click, from headings, names and titles of this very corpus; none where it has none. With `asksOnly` there are no names of code and files among them. */
export async function examplesOf(project: string, { asksOnly = false } = {}): Promise<readonly Example[]> {
  const { recent } = await perform(project, 'status', { compare: false, recent: known });
  // What a test defines is what nobody asks for.
  const own = recent.filter(({ path }) => !testPath.test(path));
  const outlines = await Promise.all(
    spread(own.length > 0 ? own : recent).map(async ({ path, title }) => {
      // A file that cannot be outlined gives no example.
      const outline = await perform(project, 'outline', { path, update: false }).catch(() => undefined);
      return { path, title, entries: outline?.entries ?? [] };
    }),
  );
  const headings = outlines.flatMap(({ entries }) =>
    entries
      .filter(({ kind }) => kind === 'section' || kind === 'message')
      .map(({ name }) => name.replace(/^(?:(?:re|aw|fwd?):\s*)+/i, '')),
  );
  const titles = outlines.filter(({ entries }) => entries.length === 0).map(({ title }) => title);
  const questions = [...new Set([...headings, ...titles].filter(saysEnough))].sort(
    (one, other) => worthOf(other) - worthOf(one),
  );
  const defined = outlines.flatMap(({ path, entries }) =>
    entries
      .filter(({ kind, name }) => /function|class|method|interface|type/.test(kind) && name.length > 3)
      .map(({ name }) => ({ path, name })),
  );
  const [definition] = defined;
  const other = outlines.find(
    ({ path, title }) =>
      path !== definition?.path && path.includes('.') && wordOf(nameless(path, title)) !== '',
  );
  const word = other ? wordOf(nameless(other.path, other.title)) : '';
  const asked = (query: string | undefined): Example | false =>
    query !== undefined && { query, shows: questionShows };
  const found = [
    asked(questions[0]),
    definition && { query: definition.name, shows: 'a name: its definition comes first' },
    other &&
      word !== '' && { query: `${nameIn(other.path)} ${word}`, shows: 'a file that you name is looked into' },
    asked(questions[1]),
    asked(questions[2]),
  ].filter((example): example is Example => Boolean(example));
  return found.filter(({ shows }) => !asksOnly || shows === questionShows).slice(0, 3);
}

/** What asks something comes first, then what has several words. */
function worthOf(text: string): number {
  return (text.endsWith('?') ? 2 : 0) + (text.split(/\s+/).length >= minWords ? 1 : 0);
}

/** What a title says beside the name of its file. */
function nameless(path: string, title: string): string {
  const name = nameIn(path).toLowerCase();
  return title.replace(/\p{L}+/gu, (word) => (name.includes(word.toLowerCase()) ? '' : word));
}

/** One document of each type first, then one of each folder: examples of all that is there. */
function spread<Entry extends { readonly path: string; readonly type: string }>(
  entries: readonly Entry[],
): Entry[] {
  const types = [...Map.groupBy(entries, ({ type }) => type).values()];
  return types
    .flatMap((members, type) => {
      const folders = new Set<string>();
      const isFirst = ({ path }: Entry): boolean => {
        const folder = path.slice(0, path.lastIndexOf('/') + 1);
        return !folders.has(folder) && folders.add(folder) !== undefined;
      };
      const first = members.filter(isFirst);
      const others = members.filter((entry) => !first.includes(entry));
      return [...first, ...others].map((entry, place) => ({ entry, at: place * types.length + type }));
    })
    .sort((one, next) => one.at - next.at)
    .slice(0, looked)
    .map(({ entry }) => entry);
}

function saysEnough(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => /^[\p{L}\p{N}'’,.?!-]+$/u.test(word));
  const isProse = words.length === text.trim().split(/\s+/).length;
  // "page 1" and "Notes" ask nothing.
  return text.length <= maxLength && isProse && words.filter((word) => /\p{L}{3}/u.test(word)).length > 1;
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The longest word of a title. */
function wordOf(title: string): string {
  return (title.match(/\p{L}{4,}/gu) ?? []).reduce(
    (best, word) => (word.length > best.length ? word : best),
    '',
  );
}
