import { type ErrorCode, errorCatalogue, replacedCodes } from './error-catalogue.ts';

/** The one error class: what happened, with the value; and what to do about it, in one imperative sentence. */
export class QuarryError extends Error {
  override readonly name = 'QuarryError';
  readonly code: ErrorCode;
  readonly remedy: string;
  /** Milliseconds after which the same call may succeed, where the server said so. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    remedy: string,
    options: { cause?: unknown; retryAfter?: number | undefined } = {},
  ) {
    super(message, options);
    this.code = currentCode(code);
    this.remedy = remedy;
    this.retryAfter = options.retryAfter;
  }

  get exitCode(): number {
    return errorCatalogue[this.code].exitCode;
  }

  get httpStatus(): number {
    return errorCatalogue[this.code].httpStatus;
  }
}

/** Failures that leave an index or a search without vectors for a while; its text still works. */
const vectorFailures: readonly ErrorCode[] = [
  'requirement-missing',
  'machine-failed',
  'model-not-found',
  'embedding-failed',
  'embedding-too-large',
  'consent-missing',
  'provider-key',
  'provider-refused',
  'provider-limited',
  'provider-unreachable',
  'vector-invalid',
];

/** Whether text search still works after this failure of vectors. A bad setting or a broken store stops everything. */
export function leavesText({ code }: QuarryError): boolean {
  return vectorFailures.includes(code);
}

/** Whether it may be about the settings of a project, so that they do not count. */
export function isSettingsFault(thrown: unknown): thrown is QuarryError {
  return (
    thrown instanceof QuarryError &&
    ['config-invalid', 'path-unsafe', 'file-unreadable'].includes(thrown.code)
  );
}

/** An error as data, as it crosses to another thread, process or machine. */
export interface ErrorData {
  /** One of the catalogue, or of the catalogue of another version. */
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  /** Milliseconds. */
  readonly retryAfter?: number | undefined;
}

/** The error as data; its cause and stack stay where it was thrown. */
export function errorToData({ code, message, remedy, retryAfter }: QuarryError): ErrorData {
  return { code, message, remedy, ...(retryAfter !== undefined && { retryAfter }) };
}

/** The error from its data, which may be of another version. */
export function errorFromData({ code, message, remedy, retryAfter }: ErrorData): QuarryError {
  return new QuarryError(currentCode(code), message, remedy, { retryAfter });
}

/** The exit code for a code that may come from another version. */
export function exitCodeOf(code: string): number {
  return errorCatalogue[currentCode(code)].exitCode;
}

/** The code of this version; one that no version had becomes `internal`. */
function currentCode(code: string): ErrorCode {
  return Object.hasOwn(errorCatalogue, code) ? (code as ErrorCode) : (replacedCodes.get(code) ?? 'internal');
}

/** Any thrown value as a QuarryError. An abort becomes `interrupted`; anything else unexpected is a defect: `internal`. */
export function asQuarryError(thrown: unknown): QuarryError {
  if (thrown instanceof QuarryError) return thrown;
  if (isAbort(thrown)) return interrupted(thrown);
  return new QuarryError('internal', messageOf(thrown), 'Report this with the command that led to it.', {
    cause: thrown,
  });
}

/** The error for work that the user stopped. */
export function interrupted(cause?: unknown): QuarryError {
  return new QuarryError(
    'interrupted',
    'Stopped before the end.',
    'Run the same command again to continue.',
    {
      cause,
    },
  );
}

/** The message of any thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}
