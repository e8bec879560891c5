import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { draws } from '../../src/core/draws.ts';
import { openProject, type Project } from '../../src/index.ts';

/** A page of a collection. */
export interface Page {
  readonly _id: string;
  readonly title?: string;
  readonly text: string;
}

/** The pages that are needed, filled up to this number with others, the same in every run. */
export function pagesWith(needed: Iterable<string>, corpus: readonly Page[], max: number): Page[] {
  const chosen = new Set(needed);
  const draw = draws(3);
  while (chosen.size < Math.min(max, corpus.length))
    chosen.add(corpus[Math.floor(draw() * corpus.length)]?._id ?? '');
  return corpus.filter(({ _id }) => chosen.has(_id));
}

/** The settings that are given as KEY=VALUE; no generator unless they name one. */
export function settingsOf(given: readonly string[]): Record<string, string> {
  return {
    'generator.driver': 'none',
    ...Object.fromEntries(given.map((pair) => pair.split(/=(.*)/s).slice(0, 2))),
  };
}

/** A project with these pages, indexed, in a folder of its own; `close` removes it. */
export async function openPages(
  pages: readonly Page[],
  settings: Record<string, string>,
): Promise<{ readonly project: Project; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-answers-'));
  for (const { _id, title = '', text } of pages) {
    mkdirSync(dirname(join(folder, _id)), { recursive: true });
    writeFileSync(join(folder, _id), title === '' ? text : `${title}\n\n${text}`);
  }
  const project = await openProject(folder, { settings });
  for await (const event of project.index())
    if (event.type === 'index-end') console.log(JSON.stringify(event.summary.chunks));
  return {
    project,
    async close() {
      await project.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
