import { isChosen, isPlaceholder, looksRandom } from './likelihood.ts';
import { anyCase, type SecretRule } from './secret-rule.ts';

const isRandom = (value: string) => !isPlaceholder(value) && looksRandom(value);

/** Credentials recognised by where they stand: in a URL, in an HTTP header, on a command line. */
export const credentialRules: readonly SecretRule[] = [
  {
    name: 'url-password',
    anchors: ['://'],
    pattern: /:\/\/([^\s:@/?#"'<>`]{0,128}):([^\s/?#"'<>`]{4,256})@(?=[\w[%.$-])/dy,
    locate: (_text, match) => {
      const [user = '', password = ''] = match.slice(1);
      const [start, end] = match.indices?.[2] ?? [0, 0];
      const isStock =
        isPlaceholder(password) || password === user || /^(?:pw|xxx|\W*|\{\w+\}|:\w+)$/i.test(password);
      return isStock ? undefined : { start, end };
    },
  },
  {
    name: 'url-password',
    anchors: ['://'],
    pattern: /:\/\/([A-Za-z0-9_-]{20,255})(?::x-oauth-basic|:)?@(?=[\w[])/dy,
    accepts: isRandom,
  },
  {
    name: 'basic-auth',
    anchors: [`${anyCase('basic')} `],
    pattern: /basic +([A-Za-z0-9+/]{8,1024}={0,2})(?![A-Za-z0-9+/=])/diy,
    accepts: holdsUserAndPassword,
  },
  {
    name: 'basic-auth',
    anchors: ['-u ', '--user[ =]'],
    pattern:
      /(?<=\b(?:curl|http|wget)\b[^\n]{0,120}\s)(?:-u|--user)[ =]["']?[^\s:"']{1,64}:([^\s"']{4,128})/dy,
    accepts: (secret) => !isPlaceholder(secret),
  },
  {
    name: 'basic-auth',
    anchors: [anyCase('auth')],
    pattern: /auth(?: ?= ?)?\( ?["'][^"'\s]{1,64}["'], ?["']([^"'\s]{4,128})["']/diy,
    accepts: isChosen,
  },
  {
    name: 'command-password',
    anchors: ['sshpass -p', 'redis-cli '],
    pattern: /(?:sshpass -p ?|redis-cli (?:-[hpn] \S{1,64} ){0,3}-a )["']?([^\s"'?|]{4,128})/dy,
    accepts: isChosen,
  },
  {
    name: 'bearer-token',
    anchors: [`${anyCase('bearer')} `],
    pattern: /bearer +([\w.~+/-]{16,4096}={0,2})/diy,
    accepts: isRandom,
  },
  {
    name: 'heroku-key',
    anchors: [anyCase('heroku')],
    pattern:
      /heroku[\w.-]{0,24}["']?\s{0,8}[:=]\s{0,8}["']?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![0-9a-f-])/diy,
  },
  {
    name: 'aws-secret-key',
    anchors: [anyCase('secret')],
    pattern:
      /secret_?(?:access_?)?key(?:_?id)?["']?\s{0,16}(?:=>?|:)\s{0,16}["']?([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/diy,
    accepts: isRandom,
  },
  {
    name: 'connection-string',
    anchors: [anyCase('password'), anyCase('pwd')],
    pattern: /(?<=;\s{0,4})(?:password|pwd)\s?=\s?([^;"'<>\s]{4,128})(?=;|"|'|\s|$)/diy,
    accepts: isChosen,
  },
  {
    name: 'connection-string',
    anchors: [anyCase('password'), anyCase('pwd')],
    pattern: /(?<![\w-])(?:password|pwd)\s?=\s?([^;"'<>\s]{4,128});(?=[A-Za-z][\w ]{1,32}=)/diy,
    accepts: isChosen,
  },
];

/** A Basic header carries `user:password` in base64; a word after `basic` does not. */
function holdsUserAndPassword(encoded: string): boolean {
  try {
    const [, user, password] = /^([\x20-\x7e]+?):([\x20-\x7e]+)$/.exec(atob(encoded)) ?? [];
    return user !== undefined && password !== undefined && !isPlaceholder(password);
  } catch {
    // No base64, so no header.
    return false;
  }
}
