import { describe, expect, test } from 'vitest';
import { findSecrets, mergeSpans, ruleNames } from './find-secrets.ts';
import { createForge } from './forge.fixture.ts';
import { serviceFormats } from './service-formats.ts';
import { tokenFormats } from './token-formats.ts';

const forge = createForge(4711);
const found = (text: string) =>
  findSecrets(text).map(({ start, end, rule }) => ({ rule, secret: text.slice(start, end) }));
const join = (...parts: string[]) => parts.join('');
/** A token that holds a digit, as one of twenty characters and more nearly always does. */
function forged(form: string): string {
  const token = forge.token(form);
  return /\d/.test(token) ? token : forged(form);
}

/** For every rule: text before the secret, the secret, text after it. */
const positives: readonly (readonly [rule: string, before: string, secret: string, after: string])[] = [
  ['putty-key', 'Private-Lines: 2\r\n', `${forge.base64(64)}\r\n${forge.base64(40)}`, '\r\n'],
  ['putty-key', 'Private-MAC: ', forge.hex(40), '\n'],
  ['private-key', '{"kty":"OKP","d":"', forge.urlSafe(43), '"}'],
  ['aws-access-key-id', 'id ', join('AK', 'IA', forge.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)), ' end'],
  ['aws-secret-key', 'aws_secret_access_key=', forge.base64(40), '\n'],
  ['google-api-key', '?key=', join('AI', 'za', forge.urlSafe(34), 'x'), '&v=3'],
  ['google-oauth', '', join('ya', '29.', forge.urlSafe(80)), ''],
  ['google-oauth', '', join('GOC', 'SPX-', forge.urlSafe(28)), ''],
  ['google-oauth', '', join('1/', '/0', forge.base62(60)), ''],
  ['azure-storage-key', 'AccountName=a;AccountKey=', `${forge.base64(86)}==`, ';'],
  ['azure-sas', '?sp=r&sig=', `${forge.base62(43)}%3D`, ' '],
  ['azure-client-secret', '"', `${forge.base62(3)}8Q~${forge.base62(34)}`, '"'],
  ['github-token', '', join('gh', 'p_', forge.base62(36)), ''],
  ['github-token', 'first\\n', join('github', '_pat_', forge.base62(22), '_', forge.base62(59)), '\\n'],
  ['gitlab-token', '', join('gl', 'pat-', forge.base62(20)), ''],
  ['slack-token', '', join('xo', 'xp-', forge.digits(12), '-', forge.base62(24)), ''],
  [
    'slack-webhook',
    'https://hooks.slack.com/services/',
    `T${forge.upperDigits(8)}/B${forge.upperDigits(8)}/${forge.base62(24)}`,
    ' ',
  ],
  ['stripe-key', '', join('sk', '_live_', forge.base62(24)), ''],
  ['twilio-key', '', join('S', 'K', forge.hex(32)), ''],
  ['sendgrid-key', '', join('S', 'G.', forge.base62(22), '.', forge.base62(43)), ''],
  ['mailgun-key', '', join('ke', 'y-', forge.hex(32)), ''],
  ['npm-token', '//host/:_authToken=', join('np', 'm_', forge.base62(36)), '\n'],
  ['pypi-token', '', join('py', 'pi-', 'AgEI', forge.base62(120)), ''],
  ['anthropic-key', '', join('s', 'k-ant-', 'api03-', forge.base62(95)), ''],
  ['openai-key', '', join('s', 'k-', forge.base62(48)), ''],
  ['openai-key', '', join('s', 'k-proj-', forge.base62(100)), ''],
  ['openrouter-key', '', join('s', 'k-or-', 'v1-', forge.hex(64)), ''],
  ['hugging-face-token', '', join('h', 'f_', forge.base62(34)), ''],
  ['digitalocean-token', '', join('do', 'p_v1_', forge.hex(64)), ''],
  ['heroku-key', 'HEROKU_API_KEY=', forge.uuid(), '\n'],
  ['telegram-token', `${forge.digits(10)}:`, `AA${forge.base62(33)}`, ''],
  ['discord-token', '"', `MT${forge.base62(22)}.${forge.base62(6)}.${forge.base62(38)}`, '"'],
  ['discord-webhook', `https://discord.com/api/webhooks/${forge.digits(18)}/`, forge.base62(68), ''],
  ['shopify-token', '', join('shp', 'at_', forge.hex(32)), ''],
  ['databricks-token', '', join('da', 'pi', forge.hex(32)), ''],
  ['docker-token', '', join('dckr', '_pat_', forge.base62(27)), ''],
  ['linear-key', '', join('lin', '_api_', forge.base62(40)), ''],
  ['notion-token', '', join('nt', 'n_', forge.base62(46)), ''],
  ['atlassian-token', '', join('ATA', 'TT3', forge.base62(180)), ''],
  ['age-key', join('AGE-SECRET', '-KEY-1'), forge.upperDigits(58), ''],
  ['vault-token', '', join('hv', 's.', forge.base62(90)), ''],
  ['groq-key', '', join('gs', 'k_', forge.base62(52)), ''],
  ['replicate-token', '', join('r', '8_', forge.base62(37)), ''],
  ['newrelic-key', '', join('NR', 'AK-', forge.upperDigits(27)), ''],
  ['sentry-token', '', join('sn', 'trys_', forge.base62(90)), ''],
  ['figma-token', '', join('fi', 'gd_', forge.base62(40)), ''],
  ['postman-key', '', join('PM', 'AK-', forge.hex(24), '-', forge.hex(34)), ''],
  ['supabase-token', '', join('sb', 'p_', forge.hex(40)), ''],
  ['grafana-token', '', join('gl', 'sa_', forge.base62(32), '_', forge.hex(8)), ''],
  ['rubygems-key', '', join('ruby', 'gems_', forge.hex(48)), ''],
  ['square-token', '', join('sq', '0csp-', forge.base62(43)), ''],
  ['jwt', 'jwt ', forge.jwt(), ' end'],
  ['basic-auth', 'Authorization: Basic ', btoa(`ida:${forge.base62(9)}`), '\r\n'],
  ['basic-auth', 'curl -u ida:', forge.base62(10), ' https://host/'],
  ['basic-auth', 'get(url, auth=("ida", "', forge.base62(10), '"))'],
  ['command-password', "sshpass -p '", 'K4kadu!x', "' ssh host"],
  ['command-password', 'mysql -u root -p', 'kangaroo77', ' shop'],
  ['command-password', 'docker login -u ida -p ', 'Tulip-25!', ' registry.internal'],
  ['command-password', 'htpasswd -cb users ida ', 'kangaroo77', '\n'],
  ['command-password', 'net use Z: \\\\files\\share ', 'kangaroo77', ' /user:ida'],
  ['server-password', 'port 6379\nrequirepass ', 'kangaroo77', '\n'],
  ['pgpass', 'db.internal:5432:shop:app:', 'kangaroo77', '\n'],
  ['sql-password', "CREATE USER 'app' IDENTIFIED BY '", 'kangaroo77', "';"],
  ['sql-password', "ALTER USER app WITH PASSWORD '", 'kangaroo77', "';"],
  ['called-password', 'new NetworkCredential("ida", "', 'kangaroo77', '")'],
  ['labelled-password', 'La contraseña es ', 'kangaroo77', ' desde hoy'],
  ['labelled-password', '密码：', 'kangaroo77', '。'],
  ['assigned-secret', 'password:\n  ', 'kangaroo77', '\nuser: ida'],
  ['assigned-secret', '- name: DB_PASSWORD\n  value: ', 'kangaroo77', '\n'],
  ['assigned-secret', 'DB_PASSWORD=', 'letmein123', '\n'],
  ['bearer-token', 'Authorization: Bearer ', forge.base62(40), '\n'],
  ['url-password', 'postgres://app:', 'tulip', '@db.internal/shop'],
  ['url-password', 'https://', forge.base62(40), '@git.internal/a.git'],
  ['connection-string', 'Server=a;Password=', 'Kiwi#2291', ';Encrypt=true'],
  ['assigned-secret', 'API_KEY=', forge.base62(32), '\n'],
  ['mailchimp-key', 'client(', `${forge.hex(32)}-us12`, ')'],
  ['maxmind-key', 'client(', `${forge.base62(6)}_${forge.base62(29)}_mmk`, ')'],
  ['terraform-token', 'client(', `${forge.base62(14)}.atlasv1.${forge.base62(67)}`, ')'],
  [
    'teams-webhook',
    'https://acme.webhook.office.com/webhookb2/',
    `${forge.uuid()}@${forge.uuid()}/IncomingWebhook/${forge.hex(32)}/${forge.uuid()}`,
    ' ',
  ],
  ['service-key', 'algolia("', forge.base62(32), '")'],
  ['unnamed-token', '"', `acme_${forge.base62(32)}`, '"'],
];

describe('findSecrets', () => {
  test.each(positives)('hides the whole %s and nothing around it', (rule, before, secret, after) => {
    expect(found(before + secret + after)).toEqual([{ rule, secret }]);
  });

  const forms = tokenFormats.flatMap(([rule, , ...templates]) =>
    templates.map((form) => [rule, form] as const),
  );
  test.each(forms)('hides a %s of the form %s wherever it stands', (_rule, form) => {
    const secret = forged(form);
    for (const text of [`Client("${secret}")`, `see ${secret} above`, `a\\n${secret}\\n`]) {
      expect(found(text).map((finding) => finding.secret)).toEqual([secret]);
    }
  });

  const services = serviceFormats.flatMap(([names, ...templates]) =>
    templates.map((form) => [names.replace(/\|.*|\[_-\]\?|_\?/g, ''), form] as const),
  );
  test.each(services)('hides a key beside the name of its service: %s %s', (service, form) => {
    const secret = forged(form);
    expect(found(`${service}.credentials("${service}", { ${service}Admin: "${secret}" })`)).toMatchObject([
      { secret },
    ]);
  });

  test('has an example of every rule', () => {
    const covered = new Set([...positives.map(([rule]) => rule), ...tokenFormats.map(([rule]) => rule)]);
    expect(ruleNames.filter((name) => !covered.has(name))).toEqual([]);
  });

  test('hides every token of a known form, of letters alone too', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const tokens = Array.from({ length: 200 }, () => join('h', 'f_', forge.from(letters, 34)));
    expect(tokens.filter((token) => found(`login("${token}")`)[0]?.secret !== token)).toEqual([]);
  });

  test.each([
    join('xo', 'xb-123456789012-', '1234567890123-', 'AbCdEfGhIjKlMnOpQrStUvWx'),
    join('gl', 'pat-', 'AbCdEfGhIjKlMnOpQrSt'),
    join('S', 'G.', 'aBcDeFgHiJkLmNoPqRsTuV.', 'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789abcdefg'),
    join('gh', 'p_', '1234567890abcdefghijABCDEFGHIJ123456'),
  ])('hides what has the form of a token though its characters run on: %s', (token) => {
    expect(found(`use ${token} here`)).toMatchObject([{ secret: token }]);
  });

  test.each([
    'acme_{a32}',
    'acme-{w40}',
    'acme_live_{a16}',
    'acme_pat_{h40}',
    'acme.{a40}',
    'ACME-{u30}',
    'sk-acme-{uuid}',
    'acme_{b60}',
  ])('hides a token of an issuer that nobody has named: %s', (form) => {
    const secret = forged(form);
    expect(found(`{ "value": "${secret}" }`)).toEqual([{ rule: 'unnamed-token', secret }]);
  });

  const chosenByPeople = [
    'url-password',
    'putty-key',
    'connection-string',
    'command-password',
    'server-password',
    'pgpass',
    'sql-password',
    'called-password',
    'labelled-password',
  ];
  test.each(positives.filter(([rule]) => !chosenByPeople.includes(rule)))(
    'takes a %s that is written in x for a placeholder',
    (_rule, before, secret, after) => {
      const blank = secret.replace(/[^\W_]{8,}/g, (run) => 'x'.repeat(run.length));
      expect(found(before + blank + after)).toEqual([]);
    },
  );

  test.each([
    'ghp_, gho_ and github_pat_ open the tokens of GitHub',
    `aws_access_key_id = ${join('AKIAIOSFODNN7', 'EXAMPLE')}`,
    'const token = await getToken();',
    'const password = form.password;',
    'password: string;',
    '"password": "Passwort",',
    '"password": "パスワード"',
    `API_KEY=\${API_KEY}`,
    'apiKey: process.env.API_KEY,',
    'secret = os.environ["SECRET"]',
    'token: <your-token>',
    'PASSWORD=changeme',
    `"integrity": "sha512-${forge.base64(86)}=="`,
    `commit ${forge.hex(40)}`,
    `id: ${forge.uuid()}`,
    `<img src="data:image/png;base64,${forge.base64(200)}">`,
    '--token-color: #12ab9f;',
    'max_tokens: 4096',
    'docker run -p 127.0.0.1:8080:80 nginx',
    'mkdir -p build/out2 && mysql -u root -p',
    'Passwort: {password1}',
    'contraseña: ************',
    'src/a.ts:1024:12:error:unused2',
    'password:\n  string1Type;\n',
    'postgres://user:password@localhost/db',
    'https://example.org:8080/a@b',
    `-----BEGIN CERTIFICATE-----\n${forge.keyBody(6)}\n-----END CERTIFICATE-----`,
    `git diff ${forge.hex(40)} sha256-${forge.base62(43)}`,
    `import('./chunk-${forge.hex(32)}.js')`,
    'z.util.base64urlToUint8Array(COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR)',
    'dsse_1.HashedRekordLogEntryV002.fromJSON(utils_1.bigIntAndBufferInt64Check)',
    `atob("${Buffer.from('This is a plain text, encoded in base64.').toString('base64')}")`,
    `const table = "${forge.hex(32)}";`,
    `logo-${forge.hex(32)}.png and logo_${forge.base62(24)}.webp`,
    '',
  ])('finds nothing in %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  test('finds each of several secrets in one text, in order', () => {
    const [first, second] = [forge.base62(30), forge.base62(31)];
    const text = `API_KEY=${first}\r\nNAME=shop\r\nSECRET_TOKEN="${second}"\r\n`;
    expect(found(text).map(({ secret }) => secret)).toEqual([first, second]);
  });

  test('names a token in an assignment after its issuer', () => {
    const token = join('gh', 'p_', forge.base62(36));
    expect(found(`SECRET_TOKEN="${token}"`)).toEqual([{ rule: 'github-token', secret: token }]);
  });

  test('leaves the user and the host of a URL readable', () => {
    expect(found('amqp://ida:p@ss#@mq/')).toEqual([]);
    expect(found('amqp://ida:p@ss-7@mq/')).toEqual([{ rule: 'url-password', secret: 'p@ss-7' }]);
  });

  test('hides a secret to its end, however long it is', () => {
    const secret = forge.base62(5000);
    expect(found(`API_KEY=${secret}\n`)).toEqual([{ rule: 'assigned-secret', secret }]);
    expect(found(`api_key = "${secret}"`)).toEqual([{ rule: 'assigned-secret', secret }]);
    const token = join('gh', 'p_', secret);
    expect(found(`use ${token} here`)).toEqual([{ rule: 'github-token', secret: token }]);
  });

  test('finds a secret between letters of any script', () => {
    const secret = forge.base62(32);
    expect(found(`😀 Schlüssel 鍵 api_key: "${secret}" 😀`)).toEqual([{ rule: 'assigned-secret', secret }]);
    expect(found('password: "Grüße-7-Bäume😀"')).toEqual([
      { rule: 'assigned-secret', secret: 'Grüße-7-Bäume😀' },
    ]);
  });

  test('leaves the place readable that a link leads to, and hides a token in one', () => {
    const [digest, commit] = [forge.hex(40), forge.hex(40)];
    for (const place of [`head-${digest}`, `diff-${forge.hex(64)}`, digest])
      expect(found(`[why](https://git.internal/a/commit/${commit}#${place})`)).toEqual([]);
    for (const address of ['/?acme-', '/?token=', '/#access_token=', '/#token-'])
      expect(found(`https://host.internal${address}${digest}`)).toHaveLength(1);
    expect(found(`use #acme-${digest} here`)).toHaveLength(1);
  });
});

describe('mergeSpans', () => {
  test('joins overlapping findings under the most specific rule and keeps neighbours apart', () => {
    const merged = mergeSpans([
      { start: 4, end: 12, rule: 'assigned-secret' },
      { start: 2, end: 8, rule: 'github-token' },
      { start: 12, end: 20, rule: 'jwt' },
    ]);
    expect(merged).toEqual([
      { start: 2, end: 12, rule: 'github-token' },
      { start: 12, end: 20, rule: 'jwt' },
    ]);
  });
});
