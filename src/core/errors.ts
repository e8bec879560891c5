/** What a code means to a shell and to an HTTP client. */
interface ErrorKind {
  /** One sentence for the reference page. */
  readonly summary: string;
  readonly exitCode: number;
  readonly httpStatus: number;
}

/** Every way Quarry can fail. Codes are stable: programs may test for them. */
export const errorCatalogue = {
  internal: { summary: 'A defect in Quarry.', exitCode: 1, httpStatus: 500 },
  'usage-invalid': {
    summary: 'The command line or request is not understood.',
    exitCode: 2,
    httpStatus: 400,
  },
  'config-invalid': { summary: 'A setting has an unknown key or a bad value.', exitCode: 2, httpStatus: 400 },
  'filter-invalid': { summary: 'A search filter cannot be understood.', exitCode: 2, httpStatus: 400 },
  'pattern-invalid': {
    summary: 'A regular expression cannot be understood, or needs too long.',
    exitCode: 2,
    httpStatus: 400,
  },
  'query-empty': { summary: 'The question has no text.', exitCode: 2, httpStatus: 400 },
  'project-not-found': {
    summary: 'The project folder does not exist or is no folder.',
    exitCode: 3,
    httpStatus: 404,
  },
  'project-disabled': { summary: 'The project has `enabled = false`.', exitCode: 3, httpStatus: 409 },
  'root-outside-project': {
    summary: 'A project file names a root outside its own folder.',
    exitCode: 3,
    httpStatus: 403,
  },
  'path-outside-root': { summary: 'A path leads out of the configured roots.', exitCode: 3, httpStatus: 403 },
  'file-unreadable': { summary: 'A file or folder cannot be read.', exitCode: 3, httpStatus: 422 },
  'document-unsupported': { summary: 'No extractor can read this file.', exitCode: 3, httpStatus: 415 },
  'worker-failed': {
    summary: 'A file broke the thread that read it, or took too much time or memory.',
    exitCode: 3,
    httpStatus: 422,
  },
  'machine-failed': {
    summary: 'The machine ran out of memory, file handles or disk, or ended a thread.',
    exitCode: 6,
    httpStatus: 503,
  },
  'driver-unknown': {
    summary: 'A setting names a driver that does not exist.',
    exitCode: 4,
    httpStatus: 400,
  },
  'driver-package-missing': {
    summary: 'A driver needs a package that is not installed.',
    exitCode: 4,
    httpStatus: 501,
  },
  'runtime-unsupported': { summary: 'This Node.js is too old.', exitCode: 4, httpStatus: 501 },
  'model-not-found': { summary: 'The embedding model is not on this machine.', exitCode: 5, httpStatus: 501 },
  'model-corrupt': {
    summary: 'A model file does not have its published hash.',
    exitCode: 5,
    httpStatus: 500,
  },
  'device-unavailable': {
    summary: 'The device that a setting names is not available here.',
    exitCode: 5,
    httpStatus: 501,
  },
  'embedding-failed': { summary: 'The model could not embed a text.', exitCode: 5, httpStatus: 502 },
  'embedding-too-large': {
    summary: 'One call to the model was more than it can take at once.',
    exitCode: 5,
    httpStatus: 502,
  },
  'reranking-failed': {
    summary: 'The reranker could not score the chunks; they keep the order of the search.',
    exitCode: 5,
    httpStatus: 502,
  },
  'consent-missing': {
    summary: 'Text would leave this machine, and the user has not agreed to it.',
    exitCode: 7,
    httpStatus: 403,
  },
  'provider-key': {
    summary: 'A provider needs a key, or refused the one it was given.',
    exitCode: 7,
    httpStatus: 401,
  },
  'provider-refused': {
    summary: 'A provider does not know the model or does not accept the request.',
    exitCode: 7,
    httpStatus: 502,
  },
  'provider-limited': {
    summary: 'A provider asks for fewer requests; the quota may be used up.',
    exitCode: 7,
    httpStatus: 429,
  },
  'provider-unreachable': {
    summary: 'A provider cannot be reached or fails.',
    exitCode: 7,
    httpStatus: 503,
  },
  'chunk-invalid': {
    summary: 'A chunk does not fit its document.',
    exitCode: 5,
    httpStatus: 422,
  },
  'vector-invalid': {
    summary: 'A vector has the wrong length or a value that is not finite.',
    exitCode: 5,
    httpStatus: 422,
  },
  'store-unusable': { summary: 'The index cannot be opened or written.', exitCode: 6, httpStatus: 500 },
  'store-corrupt': { summary: 'The index file is damaged.', exitCode: 6, httpStatus: 500 },
  'capability-missing': {
    summary: 'The store cannot do what was asked for.',
    exitCode: 6,
    httpStatus: 501,
  },
  'store-too-new': { summary: 'The index was written by a newer Quarry.', exitCode: 6, httpStatus: 409 },
  'store-busy': {
    summary: 'Another process has been writing the index for too long.',
    exitCode: 6,
    httpStatus: 503,
  },
  interrupted: {
    summary: 'The work was stopped by the user; what was committed stays.',
    exitCode: 130,
    httpStatus: 499,
  },
} as const satisfies Record<string, ErrorKind>;

/** A stable name for one way of failing. */
export type ErrorCode = keyof typeof errorCatalogue;

/** The one error class: what happened, with the value; and what to do about it, in one imperative sentence. */
export class QuarryError extends Error {
  override readonly name = 'QuarryError';
  readonly code: ErrorCode;
  readonly remedy: string;
  /** Milliseconds after which the same call may succeed, where the other side said so. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    remedy: string,
    options: { cause?: unknown; retryAfter?: number | undefined } = {},
  ) {
    super(message, options);
    this.code = code;
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

/** Ways of failing that leave an index or a search without vectors for a while, while its text goes on to serve. */
const vectorFailures: readonly ErrorCode[] = [
  'driver-package-missing',
  'machine-failed',
  'model-not-found',
  'model-corrupt',
  'device-unavailable',
  'embedding-failed',
  'embedding-too-large',
  'consent-missing',
  'provider-key',
  'provider-refused',
  'provider-limited',
  'provider-unreachable',
  'vector-invalid',
];

/** Whether text search goes on when vectors fail like this; a bad setting or a broken store stops everything. */
export function leavesText({ code }: QuarryError): boolean {
  return vectorFailures.includes(code);
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

/** The error again that became data elsewhere; a code of another version is `internal` here. */
export function errorFromData({ code, message, remedy, retryAfter }: ErrorData): QuarryError {
  return new QuarryError(isErrorCode(code) ? code : 'internal', message, remedy, { retryAfter });
}

/** The exit code of an error that became data. */
export function exitCodeOf(code: string): number {
  return errorCatalogue[isErrorCode(code) ? code : 'internal'].exitCode;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}

/** Any thrown value as a QuarryError; what is not one already is a defect and says so. */
export function asQuarryError(thrown: unknown): QuarryError {
  if (thrown instanceof QuarryError) return thrown;
  if (isAbort(thrown)) return interrupted(thrown);
  return new QuarryError('internal', messageOf(thrown), 'Report this with the command that led to it.', {
    cause: thrown,
  });
}

/** The error for work that the user stopped. */
export function interrupted(cause?: unknown): QuarryError {
  return new QuarryError('interrupted', 'Stopped before the end.', 'Run the same command again to go on.', {
    cause,
  });
}

/** The message of any thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}
