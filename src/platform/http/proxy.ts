import http, { type AgentOptions } from 'node:http';
import { isIPv4 } from 'node:net';
import { QuarryError } from '../../core/errors.ts';
import type { Environment } from '../environment.ts';

/** The proxy that calls to an address go through. Plain data, so that a thread can be given it. */
export interface ProxyAddress {
  /** The variable that names it. Its value may hold a password and is never shown. */
  readonly variable: string;
  readonly url: string;
  /** Hosts that are called without it, as NO_PROXY lists them. */
  readonly except: string | undefined;
}

/** The proxy of the environment for an address, if there is one; addresses on this machine have none. */
export function findProxy(address: URL, environment: Environment): ProxyAddress | undefined {
  // Text for a server on this machine needs no consent because it stays here: no proxy may send it elsewhere.
  if (isThisMachine(address)) return undefined;
  const variables =
    address.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  const variable = variables.find((name) => environment(name)?.trim());
  const url = variable === undefined ? undefined : environment(variable)?.trim();
  if (variable === undefined || url === undefined) return undefined;
  if (!isProxyAddress(url)) throw invalidProxy(variable);
  const except = environment('no_proxy') ?? environment('NO_PROXY');
  return isExcepted(address, except) ? undefined : { variable, url, except };
}

/** Whether NO_PROXY names the host. The runtime also knows ranges of addresses; this is for error messages only. */
function isExcepted({ hostname, port, protocol }: URL, except = ''): boolean {
  const withPort = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  return except
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const domain = entry.replace(/^\*?\./, '');
      const isBelow = domain !== entry && domain !== '' && hostname.endsWith(`.${domain}`);
      return entry === '*' || entry === hostname || entry === withPort || isBelow;
    });
}

/** The option of the runtime's agent. Without a proxy it says so, which overrides how the process was started. */
export function agentOptionsFor(proxy: ProxyAddress | undefined): AgentOptions {
  if (!proxy) return { proxyEnv: {} };
  const { url, except } = proxy;
  return {
    proxyEnv: { HTTP_PROXY: url, HTTPS_PROXY: url, ...(except !== undefined && { NO_PROXY: except }) },
  };
}

/** Whether the agents of this runtime support a proxy; older ones call every address directly. */
export function canUseProxy(Agent: typeof http.Agent = http.Agent): boolean {
  let isAsked = false;
  // An agent that knows the option reads it at once.
  const proxyEnv = {
    get HTTP_PROXY() {
      isAsked = true;
      return undefined;
    },
  };
  new Agent({ proxyEnv }).destroy();
  return isAsked;
}

function isThisMachine({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
  );
}

function isProxyAddress(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}

function invalidProxy(variable: string): QuarryError {
  return new QuarryError(
    'config-invalid',
    `${variable} is not the http or https address of a proxy.`,
    `Set ${variable} to an address like http://proxy.example.com:8080, or unset it.`,
  );
}
