const most = 8;

/** What was asked of a project before, newest first; it stays in this browser. */
export function pastQueries(project: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(project)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((query) => typeof query === 'string') : [];
  } catch {
    // What is no list of ours is written over with the next query.
    return [];
  }
}

/** Remembers a query. */
export function rememberQuery(project: string, query: string): void {
  const trimmed = query.trim();
  if (trimmed === '') return;
  const others = pastQueries(project).filter((previous) => previous !== trimmed);
  localStorage.setItem(keyOf(project), JSON.stringify([trimmed, ...others].slice(0, most)));
}

function keyOf(project: string): string {
  return `quarry.queries.${project}`;
}
