import { asQuarryError, messageOf, QuarryError } from '../../../core/errors.ts';
import { systemCodeOf } from '../../../core/failures/machine-failure.ts';

type Failure = (place: string, reason: string) => readonly [QuarryError['code'], string, string];

const unreachable: Failure = (place, reason) => [
  'server-unreachable',
  `The database ${place} does not answer: ${reason}.`,
  'Check that it runs and that store.url is right; what was committed is there, and the next run continues.',
];
const refused: Failure = (place, reason) => [
  'provider-key',
  `The database ${place} refuses the user or the password: ${reason}.`,
  'Set QUARRY_STORE_API_KEY to the password of the user in store.url.',
];
const busy: Failure = (place, reason) => [
  'store-busy',
  `The database ${place} was too slow or too busy: ${reason}.`,
  'Run it again; what was committed is there.',
];
const gone: Failure = (place, reason) => [
  'store-unusable',
  `The index is no longer in the database ${place}: ${reason}.`,
  'Run the command again: the index is rebuilt from the files, vectors from the cache.',
];
const full: Failure = (place, reason) => [
  'store-unusable',
  `The database ${place} has no room or memory left: ${reason}.`,
  'Free space on the server and run it again; what was committed is there.',
];
const denied: Failure = (place, reason) => [
  'store-unusable',
  `The user of store.url may not do that in ${place}: ${reason}.`,
  'As the owner of the database run: GRANT CREATE ON DATABASE … TO …',
];
const readOnly: Failure = (place, reason) => [
  'store-unusable',
  `The database ${place} cannot be written: ${reason}.`,
  'Set store.url to the primary server, not to a read-only copy.',
];
const withoutVectors: Failure = (place, reason) => [
  'store-unusable',
  `The database ${place} has no pgvector 0.7 or newer: ${reason}.`,
  'Install pgvector on the server, then as superuser in this database run: CREATE EXTENSION vector',
];
const noDatabase: Failure = (place, reason) => [
  'store-unusable',
  `There is no database ${place}: ${reason}.`,
  'Create it on the server with createdb, or correct store.url.',
];
const tooLong: Failure = (place, reason) => [
  'vector-invalid',
  `The database ${place} does not take the vector: ${reason}.`,
  'Choose an embedder with vectors of at most 16,000 values.',
];
const globTooComplex: Failure = (_place, reason) => [
  'usage-invalid',
  `The path filter is too complex: ${reason}.`,
  'Use fewer or shorter globs.',
];
const unencrypted: Failure = (place) => [
  'server-unreachable',
  `The database ${place} takes no encrypted connection, and text would travel in clear.`,
  'Turn on ssl on the server, or add ?sslmode=disable to store.url where the network is yours.',
];
const damaged: Failure = (place, reason) => [
  'store-corrupt',
  `The database ${place} reports damaged data: ${reason}.`,
  'Restore the database from a backup, or choose another store.collection and index again.',
];

/** What the codes of PostgreSQL, of its client and of the system mean to a user; a class of two digits where it is alike. */
const failures: Readonly<Record<string, Failure>> = {
  '08': unreachable,
  '57P01': unreachable,
  '57P02': unreachable,
  '57P03': unreachable,
  '53300': unreachable,
  '25P03': unreachable,
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: unreachable,
  EPIPE: unreachable,
  ENOENT: unreachable,
  '28': refused,
  '55P03': busy,
  '57014': busy,
  '40': busy,
  '42P01': gone,
  '3F': gone,
  '53': full,
  '42501': denied,
  '25006': readOnly,
  '42704': withoutVectors,
  '0A000': withoutVectors,
  '58P01': withoutVectors,
  '3D000': noDatabase,
  '54000': tooLong,
  '2201B': globTooComplex,
  XX001: damaged,
  XX002: damaged,
};

/** What the client says where it has no code. */
const clientFailures: readonly (readonly [RegExp, Failure])[] = [
  [/^Query read timeout$/, (place) => busy(place, 'no answer in time')],
  [/Connection terminated|not queryable|Client was closed|trying to connect|timeout expired/i, unreachable],
  [/SASL|password must be a string/, refused],
  [/does not support SSL/i, unencrypted],
];

/** The error for what the server or its client reported. Neither gives away the password. */
export function databaseFailure(thrown: unknown, place: string): QuarryError {
  if (thrown instanceof QuarryError) return thrown;
  const code = systemCodeOf(thrown) ?? '';
  const message = messageOf(thrown);
  const failure =
    failures[code] ??
    failures[code.slice(0, 2)] ??
    certificateFailure(code) ??
    clientFailures.find(([pattern]) => pattern.test(message))?.[1];
  if (!failure) return asQuarryError(thrown);
  const [kind, text, remedy] = failure(place, message.replace(/\.$/, ''));
  return new QuarryError(kind, text, remedy, { cause: thrown });
}

/** Whether the connection ended under a statement, which may be sent again on another one. */
export function isLostConnection(thrown: unknown): boolean {
  return (
    ['ECONNRESET', 'EPIPE', '57P01', '57P02', '25P03'].includes(systemCodeOf(thrown) ?? '') ||
    (thrown instanceof Error && /Connection terminated|not queryable|Client was closed/.test(thrown.message))
  );
}

/** Whether what was asked for has left the database. */
export function isGone(thrown: unknown): boolean {
  const code = systemCodeOf(thrown) ?? '';
  return failures[code] === gone || failures[code.slice(0, 2)] === gone;
}

/** Certificates that do not fit, by the codes of the runtime. */
function certificateFailure(code: string): Failure | undefined {
  if (!/CERT|SIGNATURE|ALTNAME|SELF_SIGNED/.test(code)) return undefined;
  return (place, reason) => [
    'server-unreachable',
    `The certificate of ${place} cannot be trusted: ${reason}.`,
    'Give Node.js the issuer in NODE_EXTRA_CA_CERTS, or add ?sslmode=require to store.url to encrypt without checking it.',
  ];
}
