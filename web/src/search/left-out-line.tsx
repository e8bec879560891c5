import { skipMeaning } from '../../../src/core/skipped-paths.ts';
import type { ResultOf } from '../api/operations.ts';
import { linkTo } from '../shell/route.ts';
import { counted, plural } from '../shell/words.ts';

/** Reasons that are named; the others are counted. */
const namedReasons = 3;

/** What nobody looks for, whatever else is left out. */
const ofTools = ['own-files', 'version-control'];

/** What is left out and why, in one line. */
export function LeftOutLine({ project, overview }: { project: string; overview: ResultOf<'status'> }) {
  const reasons = Object.entries(overview.skipped_reasons)
    .filter(([reason]) => !ofTools.includes(reason) && reason !== 'too-old')
    .sort(([, one], [, other]) => other - one);
  const failed = overview.failed.length > 0 ? [`${plural(overview.failed.length, 'file')} failed`] : [];
  if (reasons.length + failed.length === 0) return null;
  const named = [
    ...failed,
    ...reasons
      .slice(0, namedReasons)
      .map(([reason, count]) => `${skipMeaning(reason).meaning} (${counted(count)})`),
  ];
  const rest = reasons.slice(namedReasons).reduce((sum, [, count]) => sum + count, 0);
  return (
    <>
      Left out: {[...named, ...(rest > 0 ? [`${counted(rest)} for other reasons`] : [])].join('; ')}.{' '}
      <a href={linkTo(project, 'status')}>See which</a>
    </>
  );
}
