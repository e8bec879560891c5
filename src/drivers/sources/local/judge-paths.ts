import { realpath } from 'node:fs/promises';
import { isInside } from '../../../platform/contained-path.ts';
import type { LocalSourceOptions } from './local-source-options.ts';
import { resolveRoots, rootOf } from './roots.ts';
import type { PathJudge } from './walk/path-judge.ts';
import { prepareSurvey } from './walk/survey.ts';

/** Judges paths of the project's folder by the rules of this moment, which are read when the first one is asked for. */
export function judgePaths(options: LocalSourceOptions): PathJudge {
  let prepared: Promise<PathJudge> | undefined;
  const prepare = async (): Promise<PathJudge> => {
    const folder = await realpath(options.root);
    const all = await resolveRoots(options.root, options.roots ?? ['.']);
    const roots = all.filter((root) => isInside(folder, root.folder));
    const judges = new Map<(typeof roots)[number], PathJudge>();
    for await (const { root, judge } of prepareSurvey(options)(roots, {})) judges.set(root, judge);
    return async (uri) => {
      const root = rootOf(roots, uri);
      const judge = root && judges.get(root);
      return judge ? judge(uri) : 'outside-root';
    };
  };
  return async (uri) => {
    prepared ??= prepare();
    return (await prepared)(uri);
  };
}
