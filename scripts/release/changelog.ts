/** A version in the changelog. */
export interface ReleaseNotes {
  readonly version: string;
  /** Its day (2026-11-18). */
  readonly date: string;
  /** What is written below its heading. */
  readonly text: string;
}

const heading = /^## (?:(Unreleased)|(\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2}))$/;

/** The versions of a changelog, newest first. Throws where a heading is no version with its day. */
export function releasesIn(changelog: string): ReleaseNotes[] {
  const [, ...sections] = changelog.split(/^(?=## )/m);
  return sections.flatMap((section) => {
    const [title = '', ...lines] = section.split('\n');
    const [, unreleased, version = '', date = ''] = heading.exec(title) ?? [];
    if (unreleased) return [];
    if (!version)
      throw new Error(`The changelog has the heading "${title}"; write "## VERSION - YYYY-MM-DD".`);
    return [{ version, date, text: lines.join('\n').trim() }];
  });
}

/** What is written under Unreleased, empty where there is no such heading. */
export function unreleasedIn(changelog: string): string {
  const [, ...sections] = changelog.split(/^(?=## )/m);
  const section = sections.find((each) => each.startsWith('## Unreleased\n'));
  return section?.split('\n').slice(1).join('\n').trim() ?? '';
}

/** The changelog with what was unreleased under a version and its day. */
export function dateUnreleased(changelog: string, version: string, date: string): string {
  if (!unreleasedIn(changelog)) throw new Error('The changelog has nothing under "## Unreleased".');
  return changelog.replace(/^## Unreleased$/m, `## ${version} - ${date}`);
}
