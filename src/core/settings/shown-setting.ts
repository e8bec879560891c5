import { redactSecrets } from '../../secrets/redact-secrets.ts';
import { namedSecret } from '../../secrets/secret-names.ts';
import { settingToText } from './setting-text.ts';

const hidden = '(hidden)';

/** Settings whose value is never shown: `api_key` and `token` are secret, `max_tokens` and `redact_secrets` are not. */
const secretKey = /[._](?:keys?|secret|token|passwords?)$/i;
/** Settings that may be a command; the second is the name of the version before. */
const commandKeys: ReadonlySet<string> = new Set(['store.mcp.server', 'store.mcp_server']);

/** The value of a setting as anybody may see it: without keys, passwords of addresses, and secrets that a command is given. */
export function shownSetting(key: string, value: unknown): unknown {
  if (secretKey.test(key)) return hidden;
  return withoutNamed(key, JSON.parse(settingToText(value)));
}

/** The command with the values that its flags, variables and headers call a secret hidden, and those that look like one. */
function shownCommand(command: string): string {
  let before = '';
  return redactSecrets(command).text.replaceAll(/\S+/g, (word) => {
    const isAnnounced = /^-|:$|^["']?(bearer|basic)$/i.test(before) && namedSecret(before) !== undefined;
    before = word;
    const [, name, mark] = /^(["']?-{0,2}[\w.-]+)([=:])./.exec(word) ?? [];
    if (name !== undefined && namedSecret(name)) return `${name}${mark}${hidden}`;
    return isAnnounced || /^(?=.*\d)(?=.*[a-z])[\w+-]{20,}$/i.test(word) || word.includes('█')
      ? hidden
      : word;
  });
}

/** The value with the entries hidden whose name promises a secret, and commands without theirs. */
function withoutNamed(key: string, value: unknown): unknown {
  if (typeof value === 'string') return commandKeys.has(key) ? shownCommand(value) : value;
  if (Array.isArray(value)) return value.map((inner) => withoutNamed(key, inner));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      namedSecret(name) ? hidden : withoutNamed(`${key}.${name}`, inner),
    ]),
  );
}
