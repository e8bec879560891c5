import type { ErrorData } from '../../../src/core/errors.ts';
import { isLost } from '../api/session.ts';
import { linkTo, route, type View } from './route.ts';
import { plainly } from './words.ts';

/** What is done in the page itself, where a remedy names a command. */
const inThePage: Readonly<Record<string, { readonly view: View; readonly remedy: string }>> = {
  'index-stale': { view: 'status', remedy: 'Index it now' },
  'vectors-pending': { view: 'status', remedy: 'See how far it is' },
  'generator-missing': { view: 'settings', remedy: 'Choose a model' },
};

/** An error as a person can use it: what happened, and what to do. That the server is gone is said once, for the whole page. */
export function Problem({
  error,
  retry,
  isWarning = false,
}: {
  error: Pick<ErrorData, 'code' | 'message' | 'remedy'>;
  retry?: () => void;
  isWarning?: boolean;
}) {
  const here = inThePage[error.code];
  if (isLost.value && error.code === 'server-unreachable') return null;
  return (
    <div class={isWarning ? 'problem is-warning' : 'problem'} role={isWarning ? 'status' : 'alert'}>
      <p>
        <strong>{plainly(error.message)}</strong>
      </p>
      <p>
        {here ? <a href={linkTo(route.value.project, here.view)}>{here.remedy}</a> : plainly(error.remedy)}{' '}
        <code class="quiet">{error.code}</code>
      </p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
