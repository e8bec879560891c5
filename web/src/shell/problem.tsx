import type { ErrorData } from '../../../src/core/errors.ts';
import { isLost } from '../api/session.ts';
import { plainly } from './words.ts';

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
  if (isLost.value && error.code === 'server-unreachable') return null;
  return (
    <div class={isWarning ? 'problem is-warning' : 'problem'} role={isWarning ? 'status' : 'alert'}>
      <p>
        <strong>{plainly(error.message)}</strong>
      </p>
      <p>
        {plainly(error.remedy)} <code class="quiet">{error.code}</code>
      </p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
