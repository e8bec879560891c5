import { useEffect, useRef } from 'preact/hooks';
import { linkTo } from '../shell/route.ts';
import { plainly, plural } from '../shell/words.ts';

/** Globs that fit into a filter. */
const maxGlobs = 30;

/** What was circled on the map, and the way to search in it. */
export function Chosen({
  project,
  chunks,
  paths,
  query,
  onDrop,
}: {
  project: string;
  chunks: number;
  /** The documents of the chunks, each once. */
  paths: readonly string[];
  query: string;
  onDrop: () => void;
}) {
  const filter = filterFor(paths);
  const card = useRef<HTMLElement>(null);
  // The map may fill the screen.
  useEffect(() => card.current?.scrollIntoView({ block: 'nearest' }), [paths]);
  return (
    <section ref={card} class="card chosen">
      <p role="status">
        <b>
          {plural(chunks, 'chunk')} of {plural(paths.length, 'document')} chosen
        </b>
        <span class="quiet">
          {plainly(paths.slice(0, 5).join(', '))}
          {paths.length > 5 && ' …'}
        </span>
      </p>
      <div class="actions">
        {filter ? (
          <a class="button primary" href={linkTo(project, 'search', { path: filter.globs.join(' '), query })}>
            {filter.isWider ? 'Search in their folders' : 'Search in these'}
          </a>
        ) : (
          <span class="quiet">Too far apart for a filter: choose fewer.</span>
        )}
        <button type="button" onClick={onDrop}>
          Drop
        </button>
      </div>
    </section>
  );
}

/** Globs for documents, or for their folders where there are too many; undefined where those are too many too. */
function filterFor(
  paths: readonly string[],
): { readonly globs: readonly string[]; readonly isWider: boolean } | undefined {
  if (paths.length <= maxGlobs) return { globs: paths.map(asGlob), isWider: false };
  const folders = paths.map((path) => path.split('/').slice(0, -1));
  const deepest = Math.max(...folders.map(({ length }) => length));
  for (let depth = deepest; depth > 0; depth -= 1) {
    const globs = new Set(
      folders.map((parts, index) =>
        parts.length === 0 ? asGlob(paths[index] ?? '') : `${asGlob(parts.slice(0, depth).join('/'))}/**`,
      ),
    );
    if (globs.size <= maxGlobs) return { globs: [...globs], isWider: true };
  }
  return undefined;
}

/** A glob for one path: what has a meaning in globs stands for any character, as do spaces between globs. */
function asGlob(path: string): string {
  return path.replace(/[\s,*?[\]{}!()\\]/g, '?');
}
