import { perform } from '../api/operations.ts';

/** A question that this corpus answers, and what it shows of the ways to ask. */
export interface Example {
  readonly query: string;
  readonly shows: string;
}

/** Documents that are looked at for examples: those that changed last. */
const looked = 12;
/** A heading with fewer words asks nothing. */
const minWords = 3;
const longest = 90;

/** Questions to click, from headings, names and titles of this very corpus; none where it has none. */
export async function examplesOf(project: string): Promise<readonly Example[]> {
  const { recent } = await perform(project, 'status', { compare: false, recent: looked });
  const outlines = await Promise.all(
    spread(recent).map(async ({ path, title }) => {
      // A file that cannot be outlined gives no example.
      const outline = await perform(project, 'outline', { path, update: false }).catch(() => undefined);
      return { path, title, entries: outline?.entries ?? [] };
    }),
  );
  const headings = outlines.flatMap(({ entries }) =>
    entries.filter(({ kind }) => kind === 'section' || kind === 'message').map(({ name }) => name),
  );
  const titles = outlines.filter(({ entries }) => entries.length === 0).map(({ title }) => title);
  const question = [...headings, ...titles].find(saysEnough);
  const defined = outlines.flatMap(({ path, entries }) =>
    entries
      .filter(({ kind, name }) => /function|class|method|interface|type/.test(kind) && name.length > 3)
      .map(({ name }) => ({ path, name })),
  );
  const [definition] = defined;
  const other = outlines.find(({ path }) => path !== definition?.path && path.includes('.'));
  const word = wordOf(other?.title ?? '');
  return [
    question !== undefined && { query: question, shows: 'a question: by meaning and by words' },
    definition && { query: definition.name, shows: 'a name: its definition comes first' },
    other &&
      word !== '' && { query: `${nameIn(other.path)} ${word}`, shows: 'a file that you name is looked into' },
  ].filter((example): example is Example => Boolean(example));
}

/** One document of each folder first: examples from all over. */
function spread<Entry extends { readonly path: string }>(entries: readonly Entry[]): Entry[] {
  const byFolder = [...Map.groupBy(entries, ({ path }) => path.slice(0, path.lastIndexOf('/') + 1)).values()];
  return byFolder
    .flatMap((members, folder) =>
      members.map((entry, place) => ({ entry, at: place * byFolder.length + folder })),
    )
    .sort((one, next) => one.at - next.at)
    .slice(0, 6)
    .map(({ entry }) => entry);
}

function saysEnough(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => /^[\p{L}\p{N}'’,.?!-]+$/u.test(word));
  return (
    text.length <= longest && words.length >= minWords && words.length === text.trim().split(/\s+/).length
  );
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
