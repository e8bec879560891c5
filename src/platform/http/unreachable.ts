import { messageOf, QuarryError } from '../../core/errors.ts';
import type { SettingsTable } from './address.ts';
import { oneLine } from './one-line.ts';
import { canUseProxy, type ProxyAddress } from './proxy.ts';

/** The error for a call that ended without an answer. */
export function unreachable(
  address: URL,
  cause: unknown,
  table: SettingsTable,
  proxy?: ProxyAddress,
): QuarryError {
  const code = codeOf(cause);
  const [what, remedy] =
    proxy && !untrusted.test(code) ? explainProxy(address, proxy) : explain(address, code, table);
  const reason = code || oneLine(messageOf(cause ?? 'the connection was cut'));
  return new QuarryError('provider-unreachable', `${what} (${reason}).`, remedy, { cause });
}

/** Codes of connections whose certificate is not trusted. */
const untrusted = /CERT|SIGNATURE|ERR_TLS|ERR_SSL|EPROTO/;

function explainProxy(
  { host, hostname }: URL,
  { variable }: ProxyAddress,
): readonly [what: string, remedy: string] {
  if (canUseProxy()) {
    return [
      `${host} cannot be reached by way of the proxy in ${variable}`,
      `Correct ${variable}, or name ${hostname} in NO_PROXY if it needs no proxy.`,
    ];
  }
  return [
    `${host} cannot be reached, and Node.js ${process.versions.node} cannot use the proxy in ${variable}`,
    'Install Node.js 24.5 or newer, or 22.21 or newer of the 22 line.',
  ];
}

function explain(address: URL, code: string, table: SettingsTable): readonly [what: string, remedy: string] {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return [
      `The host ${address.hostname} cannot be found`,
      `Check ${table}.url and the network, then try again.`,
    ];
  }
  if (code === 'ECONNREFUSED') {
    return [`Nothing answers at ${address.host}`, `Start the server, or correct ${table}.url.`];
  }
  if (untrusted.test(code)) {
    return [
      `No trusted connection to ${address.host} can be made`,
      'Use the scheme that the server speaks, and name its authority in NODE_EXTRA_CA_CERTS if it has its own.',
    ];
  }
  return [
    `The connection to ${address.host} broke off`,
    'Try again later; look at the log of the server if it is yours.',
  ];
}

function codeOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : '';
}
