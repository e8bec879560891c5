/** What a code means to a shell and to an HTTP client. */
interface ErrorKind {
  /** One sentence for the reference page. */
  readonly summary: string;
  readonly exitCode: number;
  /** Blames the right side: a client must not be asked to correct what it cannot change. */
  readonly httpStatus: number;
  readonly blames: Blame;
}

/** Who has to act before the same request succeeds, and the reason for the HTTP status. */
export const blames = {
  caller: 'The request, or the data in it, must be changed (4xx).',
  project: 'The request is right; the settings or consents of the project do not allow it now (409).',
  machine:
    'The request is right; the machine that answers it fails, lacks something or is busy (500, 501, 503).',
  provider: 'The request is right; a model or server that it needs fails or refuses (502, 503, 504).',
} as const;

/** One of the sides that an error blames. */
export type Blame = keyof typeof blames;

/** Every way Quarry can fail. Codes are stable: programs may test for them. */
export const errorCatalogue = {
  internal: { summary: 'A defect in Quarry.', exitCode: 1, httpStatus: 500, blames: 'machine' },
  'usage-invalid': {
    summary: 'The command line, request, filter, pattern or call is not understood, or the query is empty.',
    exitCode: 2,
    httpStatus: 400,
    blames: 'caller',
  },
  'config-invalid': {
    summary: 'A setting has an unknown key or a bad value, or names what does not exist or is not allowed.',
    exitCode: 2,
    httpStatus: 409,
    blames: 'project',
  },
  'project-not-found': {
    summary: 'The project folder does not exist or is not a folder.',
    exitCode: 3,
    httpStatus: 404,
    blames: 'caller',
  },
  'project-disabled': {
    summary: 'The project has `enabled = false`.',
    exitCode: 3,
    httpStatus: 409,
    blames: 'project',
  },
  'path-outside-root': {
    summary: 'A path leads out of the configured roots.',
    exitCode: 3,
    httpStatus: 403,
    blames: 'caller',
  },
  'path-unsafe': {
    summary: 'A name that Quarry uses in a folder is taken by a link, a device or a file of another user.',
    exitCode: 3,
    httpStatus: 409,
    blames: 'project',
  },
  'file-unreadable': {
    summary:
      'A file, a folder or the history of one cannot be read, or the repository is not one that is safe to read; added content is damaged, or cannot be kept or removed.',
    exitCode: 3,
    httpStatus: 500,
    blames: 'machine',
  },
  'document-not-found': {
    summary: 'The index has no such document, definition, chunk or line.',
    exitCode: 3,
    httpStatus: 404,
    blames: 'caller',
  },
  'document-unsupported': {
    summary: 'No extractor can read this file.',
    exitCode: 3,
    httpStatus: 415,
    blames: 'caller',
  },
  'worker-failed': {
    summary: 'A file broke the thread that read it, or took too much time or memory.',
    exitCode: 3,
    httpStatus: 422,
    blames: 'caller',
  },
  'machine-failed': {
    summary: 'The machine ran out of memory, file handles or disk, or ended a thread.',
    exitCode: 6,
    httpStatus: 503,
    blames: 'machine',
  },
  'requirement-missing': {
    summary:
      'What is needed is missing here: a package, a device, a newer Node.js, or a store that can do what was asked for.',
    exitCode: 4,
    httpStatus: 501,
    blames: 'machine',
  },
  'model-not-found': {
    summary: 'A model is not on this machine, or its files are not the published ones.',
    exitCode: 5,
    httpStatus: 501,
    blames: 'machine',
  },
  'embedding-failed': {
    summary: 'The model could not embed a text.',
    exitCode: 5,
    httpStatus: 502,
    blames: 'provider',
  },
  'embedding-too-large': {
    summary: 'One call to the model was too large.',
    exitCode: 5,
    httpStatus: 502,
    blames: 'provider',
  },
  'generator-missing': {
    summary: 'No model that writes answers is set up.',
    exitCode: 4,
    httpStatus: 409,
    blames: 'project',
  },
  'model-failed': {
    summary:
      'The model could not score the chunks, which keep the order of the search, or not write a whole answer.',
    exitCode: 5,
    httpStatus: 502,
    blames: 'provider',
  },
  'consent-missing': {
    summary: 'Text would leave this machine, and the user has not agreed to it.',
    exitCode: 7,
    httpStatus: 409,
    blames: 'project',
  },
  'trust-missing': {
    summary: 'Settings of a project would run a command or lower protection without the user’s consent.',
    exitCode: 7,
    httpStatus: 409,
    blames: 'project',
  },
  'provider-key': {
    summary: 'A provider needs a key, or refused the one it was given.',
    exitCode: 7,
    httpStatus: 502,
    blames: 'provider',
  },
  'provider-refused': {
    summary: 'A provider does not know the model or does not accept the request.',
    exitCode: 7,
    httpStatus: 502,
    blames: 'provider',
  },
  'provider-limited': {
    summary: 'A provider asks for fewer requests; the quota may be used up.',
    exitCode: 7,
    httpStatus: 503,
    blames: 'provider',
  },
  'provider-unreachable': {
    summary: 'A provider cannot be reached or fails.',
    exitCode: 7,
    httpStatus: 504,
    blames: 'provider',
  },
  'vector-invalid': {
    summary: 'A vector has the wrong length or a value that is not finite.',
    exitCode: 5,
    httpStatus: 422,
    blames: 'caller',
  },
  'store-unusable': {
    summary: 'The index cannot be opened or written.',
    exitCode: 6,
    httpStatus: 500,
    blames: 'machine',
  },
  'store-corrupt': { summary: 'The index file is damaged.', exitCode: 6, httpStatus: 500, blames: 'machine' },
  'store-foreign': {
    summary:
      'The index is of an earlier version, was not made by this user, or was changed by somebody else.',
    exitCode: 6,
    httpStatus: 500,
    blames: 'machine',
  },
  'store-too-new': {
    summary: 'The index was written by a newer Quarry.',
    exitCode: 6,
    httpStatus: 501,
    blames: 'machine',
  },
  'store-busy': {
    summary: 'Another process has been writing the index for too long.',
    exitCode: 6,
    httpStatus: 503,
    blames: 'machine',
  },
  'lock-lost': {
    summary:
      'Another process took over the work on the index, because this one was paused or cut off for too long.',
    exitCode: 6,
    httpStatus: 409,
    blames: 'caller',
  },
  'store-occupied': {
    summary: 'The target store already has a different index, or a copy that is not complete.',
    exitCode: 6,
    httpStatus: 409,
    blames: 'project',
  },
  'index-stale': {
    summary: 'The index is missing, behind the files, or still cut by previous settings.',
    exitCode: 6,
    httpStatus: 503,
    blames: 'machine',
  },
  'documents-too-old': {
    summary: 'Documents that are older than `max_age_days` admits are left out of the index.',
    exitCode: 6,
    httpStatus: 409,
    blames: 'project',
  },
  'vectors-pending': {
    summary: 'Some chunks have no vector yet, so that only their words are searched.',
    exitCode: 6,
    httpStatus: 503,
    blames: 'machine',
  },
  'token-invalid': {
    summary: 'A server wants a token, or does not know the one it was given.',
    exitCode: 9,
    httpStatus: 401,
    blames: 'caller',
  },
  'access-denied': {
    summary: 'A server does not allow this to the caller.',
    exitCode: 9,
    httpStatus: 403,
    blames: 'caller',
  },
  'route-unknown': {
    summary: 'A server has nothing at this address.',
    exitCode: 9,
    httpStatus: 404,
    blames: 'caller',
  },
  'request-too-large': {
    summary: 'A request to a server is too large.',
    exitCode: 9,
    httpStatus: 413,
    blames: 'caller',
  },
  'request-too-long': {
    summary: 'A request to a server, or one of several projects, took longer than is allowed for one answer.',
    exitCode: 9,
    httpStatus: 408,
    blames: 'caller',
  },
  'request-limited': {
    summary: 'A server asks the caller for fewer requests.',
    exitCode: 9,
    httpStatus: 429,
    blames: 'caller',
  },
  'version-mismatch': {
    summary: 'A server and its client are of versions that do not fit.',
    exitCode: 9,
    httpStatus: 409,
    blames: 'caller',
  },
  'settings-conflict': {
    summary: 'A settings file has changed since it was read.',
    exitCode: 2,
    httpStatus: 409,
    blames: 'caller',
  },
  'environment-mismatch': {
    summary: 'A server was started with other variables than its client has.',
    exitCode: 9,
    httpStatus: 409,
    blames: 'caller',
  },
  'server-unreachable': {
    summary: 'A Quarry server cannot be reached; nothing was sent to it.',
    exitCode: 9,
    httpStatus: 504,
    blames: 'provider',
  },
  'server-silent': {
    summary: 'A Quarry server runs, but does not answer; it took no request.',
    exitCode: 9,
    httpStatus: 504,
    blames: 'provider',
  },
  'answer-lost': {
    summary: 'A Quarry server took a request and ended or stopped answering before its answer was complete.',
    exitCode: 9,
    httpStatus: 504,
    blames: 'provider',
  },
  interrupted: {
    summary: 'The user stopped the work; what was finished is kept.',
    exitCode: 130,
    httpStatus: 499,
    blames: 'caller',
  },
} as const satisfies Record<string, ErrorKind>;

/** A stable name for one way of failing. */
export type ErrorCode = keyof typeof errorCatalogue;

/** Codes of earlier versions that are part of another one now. Drivers and servers of those versions may still give them. */
export const replacedCodes: ReadonlyMap<string, ErrorCode> = new Map([
  ['filter-invalid', 'usage-invalid'],
  ['pattern-invalid', 'usage-invalid'],
  ['query-empty', 'usage-invalid'],
  ['project-closed', 'usage-invalid'],
  ['chunk-invalid', 'usage-invalid'],
  ['stream-refused', 'usage-invalid'],
  ['root-outside-project', 'config-invalid'],
  ['driver-unknown', 'config-invalid'],
  ['driver-package-missing', 'requirement-missing'],
  ['runtime-unsupported', 'requirement-missing'],
  ['device-unavailable', 'requirement-missing'],
  ['capability-missing', 'requirement-missing'],
  ['model-corrupt', 'model-not-found'],
  ['reranking-failed', 'model-failed'],
  ['generation-failed', 'model-failed'],
  ['content-damaged', 'file-unreadable'],
  ['content-unwritable', 'file-unreadable'],
  ['content-unusable', 'file-unreadable'],
  ['copy-unequal', 'store-occupied'],
]);
