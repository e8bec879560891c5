import { messageOf, QuarryError } from '../../../core/errors.ts';
import { oneLine } from './one-line.ts';

/** The error for a call that ended without an answer. */
export function unreachable(address: URL, cause: unknown): QuarryError {
  const code = codeOf(cause);
  const [what, remedy] = explain(address, code);
  const reason = code || oneLine(messageOf(cause ?? 'the connection was cut'));
  return new QuarryError('provider-unreachable', `${what} (${reason}).`, remedy, { cause });
}

function explain(address: URL, code: string): readonly [what: string, remedy: string] {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return [
      `The host ${address.hostname} cannot be found`,
      'Check embedder.url and the network, then try again.',
    ];
  }
  if (code === 'ECONNREFUSED') {
    return [`Nothing answers at ${address.host}`, 'Start the server, or correct embedder.url.'];
  }
  if (/CERT|SIGNATURE|ERR_TLS|ERR_SSL|EPROTO/.test(code)) {
    return [
      `No trusted connection to ${address.host} can be made`,
      'Use the scheme that the server speaks, and name its authority in NODE_EXTRA_CA_CERTS if it has its own.',
    ];
  }
  return [
    `The connection to ${address.host} broke off`,
    'Try again later; look into the log of the server if it is yours.',
  ];
}

function codeOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : '';
}
