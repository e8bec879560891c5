import { asQuarryError, type ErrorCode, messageOf, QuarryError } from './errors.ts';

/** An error as plain data, as it crosses the border of a thread or a process. */
export interface ErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy: string;
  /** Milliseconds after which the same call may succeed, where the other side said so. */
  readonly retryAfter?: number;
  /** What led to it: its message, and the system's own code for it (`EMFILE`) where there is one. */
  readonly cause?: { readonly message: string; readonly code?: string };
}

/** Any thrown value as data. */
export function errorToData(thrown: unknown): ErrorData {
  const { code, message, remedy, retryAfter, cause } = asQuarryError(thrown);
  return {
    code,
    message,
    remedy,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(cause !== undefined && { cause: causeToData(cause) }),
  };
}

/** The error that the data tells of. */
export function errorFromData({ code, message, remedy, retryAfter, cause }: ErrorData): QuarryError {
  return new QuarryError(code, message, remedy, {
    retryAfter,
    ...(cause && { cause: Object.assign(new Error(cause.message), cause.code && { code: cause.code }) }),
  });
}

/** The code that the system or the runtime gave an error: `EMFILE`, `ERR_WORKER_OUT_OF_MEMORY`. */
export function systemCodeOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

function causeToData(cause: unknown): NonNullable<ErrorData['cause']> {
  const code = systemCodeOf(cause);
  return { message: messageOf(cause), ...(code !== undefined && { code }) };
}
