import type { ErrorData } from '../../../src/core/errors.ts';

/** An error as a person can use it: what happened, and what to do. */
export function Problem({
  error,
  retry,
  isWarning = false,
}: {
  error: Pick<ErrorData, 'code' | 'message' | 'remedy'>;
  retry?: () => void;
  isWarning?: boolean;
}) {
  return (
    <div class={isWarning ? 'problem is-warning' : 'problem'} role={isWarning ? 'status' : 'alert'}>
      <p>
        <strong>{error.message}</strong>
      </p>
      <p>
        {error.remedy} <code class="quiet">{error.code}</code>
      </p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
