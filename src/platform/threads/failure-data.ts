import {
  asQuarryError,
  type ErrorData,
  errorFromData,
  errorToData,
  messageOf,
  QuarryError,
} from '../../core/errors.ts';
import { machineFailure, systemCodeOf } from '../../core/failures/machine-failure.ts';

/** An error as data that leaves a thread, with its cause. */
export interface FailureData extends ErrorData {
  /** The message of the cause, and the system's own code for it (`EMFILE`) where there is one. */
  readonly cause?: { readonly message: string; readonly code?: string };
}

/** Any thrown value as data; a failure of the machine gets the code `machine-failed`. */
export function failureToData(thrown: unknown): FailureData {
  const error = asQuarryError(machineFailure(thrown) ?? thrown);
  const { cause } = error;
  if (cause === undefined) return errorToData(error);
  const code = systemCodeOf(cause);
  return { ...errorToData(error), cause: { message: messageOf(cause), ...(code !== undefined && { code }) } };
}

/** The error from its data. */
export function failureFromData({ cause, ...data }: FailureData): QuarryError {
  const { code, message, remedy, retryAfter } = errorFromData(data);
  return new QuarryError(code, message, remedy, { retryAfter, cause });
}
