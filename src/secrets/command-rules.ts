import { isChosen } from './likelihood.ts';
import { anyCase, type SecretRule } from './secret-rule.ts';

/** A value in quotes, or a word by itself. */
const given = `(?:"([^"\\n]{4,128})"|'([^'\\n]{4,128})'|([^\\s"'\`|<>]{5,128}))`;

/**
 * Programs whose password follows a flag, on the same line. What is bounded bounds the work at one flag; patterns look
 * ahead for the flag before they look behind it, which costs more.
 */
const after = (programs: string) => `(?<=\\b(?:${programs})\\b[^\\n|]{0,160} )`;
const flags = [
  `(?=-p)${after('(?:docker|podman|buildah|skopeo|nerdctl|oras|crane|registry|oc) login|twine|mongo(?:sh|dump|restore|import|export)?|cqlsh|useradd|usermod|rdesktop|ncftp(?:put|get)')}-p[ =]`,
  `(?=-P)${after('sqlcmd|bcp|isql|zip|unzip|ipmitool|mosquitto_(?:pub|sub)')}-P ?`,
  `(?=-w)${after('ldap[a-z]{3,8}')}-w ?`,
  `(?=-p)${after('mysql\\w{0,8}|mariadb[\\w-]{0,9}|7za?')}-p(?=\\S)`,
  `(?=-pw)${after('plink|pscp')}-pw `,
];

/**
 * Passwords recognised by the command, the statement or the directive that they are given to. Their anchors begin as those
 * of other rules do, which keeps the one pass over a text fast.
 */
export const commandRules: readonly SecretRule[] = [
  rule('command-password', ['-[pPw]'], `(?:${flags.join('|')})${given}`),
  rule('command-password', ['-U '], `(?<=\\s)-U ["']?[^\\s%"']{1,64}%([^\\s"']{4,128})`),
  rule(
    'command-password',
    [anyCase('pass')],
    `(?<=ht)passwd -[A-Za-z]{0,6}b[A-Za-z]{0,6} (?:\\S{1,128} )?[\\w.@-]{1,64} ${given}`,
  ),
  rule(
    'command-password',
    ['rabbitmqctl '],
    `rabbitmqctl (?:add_user|change_password|authenticate_user) \\S{1,64} ${given}`,
  ),
  rule('command-password', ['sqlplus '], `sqlplus (?:-\\w{1,8} ){0,3}[\\w$]{1,64}\\/([^\\s@"']{4,128})`),
  rule(
    'command-password',
    [anyCase('pass')],
    `(?=password )(?<=(?:\\b(?:nmcli|iwctl|netsh)\\b[^\\n]{0,160}|\\b(?:login|user(?:name)?|admin)\\b[^\\n]{0,64}[ ,/])\\s?)password (?:[0-9] )?${given}`,
  ),
  rule(
    'server-password',
    [anyCase('pass'), anyCase('auth')],
    `(?:(?<=require)pass|(?<=auth-)pass \\S{1,64}|(?<=master)auth) {1,16}${given}`,
  ),
  rule('server-password', ['rootpw '], `rootpw {1,16}${given}`),
  rule('server-password', ['createUser '], `createUser \\S{1,64} (?:MD5|SHA(?:-\\d{3})?) ${given}`),
  rule('server-password', [': (?:PSK|EAP|XAUTH|NTLM) "'], ': (?:PSK|EAP|XAUTH|NTLM) "([^"\\n]{4,128})"'),
  rule(
    'server-password',
    [anyCase('pass'), anyCase('secret')],
    `(?<=enable )(?:secret|password) (?:[0-9] )?${given}`,
  ),
  {
    name: 'pgpass',
    anchors: [':[0-9][0-9][0-9][0-9]:', ':\\*:'],
    pattern:
      /(?=:(?:\d{4,5}|\*):)(?<=(?:^|\n)[\w.*-]{1,128}):(?:\d{4,5}|\*):(?!\d+:)[\w*$-]{1,64}:[\w*.@$-]{1,64}:([^\s:]{4,256})(?=[ \t]*(?:[\r\n]|$))/dy,
    accepts: isChosen,
  },
  rule(
    'sql-password',
    [anyCase('pass')],
    `(?=password[ (])(?:(?<=\\b(?:with|login|encrypted|superuser|createdb|createrole|inherit|user \\S{1,64}|role \\S{1,64}) )password '([^'\\n]{4,128})'|(?<== ?)password\\( ?'([^'\\n]{4,128})' ?\\))`,
    'diy',
  ),
  rule('sql-password', ['thin:'], 'thin:[\\w$]{1,64}\\/([^\\s@"\']{4,128})@'),
  rule(
    'called-password',
    [anyCase('pass'), anyCase('cred')],
    '(?:(?<=Network)Credential|PasswordCredentials|PasswordAuthentication)\\(\\s?["\'][^"\'\\n]{1,64}["\'],\\s?["\']([^"\'\\n]{4,128})["\']',
  ),
  rule(
    'called-password',
    ['ConvertTo-SecureString '],
    'ConvertTo-SecureString (?:-String )?["\']([^"\'\\n]{4,128})["\'] {1,2}-(?:AsPlainText|Force)',
  ),
];

/** The same with anchors that begin as no other; they are looked for in a pass of their own. */
export const rareCommandRules: readonly SecretRule[] = [
  rule(
    'command-password',
    ['net use', 'NET USE'],
    `net use(?:r \\S{1,64}|[^\\n]{0,120}?\\/user:\\S{1,64}| (?:\\S{1,2} )?\\\\\\\\\\S{1,128}) (?!\\/)${given}`,
    'diy',
  ),
  rule(
    'command-password',
    ['echo '],
    `echo (?:-n )?(?:["']?[\\w.-]{1,32}:([^\\s"'|]{5,128})["']? ?\\| ?(?:sudo )?chpasswd|${given} ?\\| ?(?:sudo -S|gpg [^\\n]{0,80}--passphrase-fd))`,
  ),
  rule('command-password', ['lftp '], `lftp [^\\n]{0,80}?-u [^\\s,]{1,64},${given}`),
  rule('server-password', ['on >'], '(?=on >)(?<=user \\S{1,64}[^\\n]{0,40} )on >([^\\s~+@>]{5,128})'),
  rule(
    'sql-password',
    ['identified ', 'IDENTIFIED ', 'Identified '],
    `identified(?: with ["'\\w]{1,48})? (?:by|as) (?:password )?${given}`,
    'diy',
  ),
  rule(
    'sql-password',
    ['@tcp\\(', '@unix\\('],
    '(?<=["\'`][\\w-]{1,64}:([^\\s"\'@]{4,128}))@(?:tcp|unix)\\(',
  ),
  rule(
    'sql-password',
    ['_connect\\(', 'new mysqli\\(', 'new PDO\\('],
    '[\\w ]{6,16}\\((?:\\s?["\'$][^,\\n]{0,64},){2}\\s?["\']([^"\'\\n]{4,128})["\']',
  ),
  rule(
    'called-password',
    ['login\\('],
    '(?<=\\.)login\\(\\s?["\'][^"\'\\n]{1,64}["\'],\\s?["\']([^"\'\\n]{4,128})["\']',
  ),
];

function rule(name: string, anchors: readonly string[], source: string, flags = 'dy'): SecretRule {
  return { name, anchors, pattern: new RegExp(source, flags), accepts: isChosen };
}
