import { isPlaceholder, looksRandom } from './likelihood.ts';
import type { SecretRule } from './secret-rule.ts';

/** Anything in a token's format that is neither a placeholder nor a few characters over and over. */
function isPlausible(token: string): boolean {
  return new Set(token).size >= Math.min(10, token.length / 2) && !isPlaceholder(token);
}

const isRandom = (token: string) => isPlausible(token) && looksRandom(token);

/** Not inside a longer word; an escaped line break or a percent escape before the token ends a word. */
const open = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F]{2}))`;

function rule(name: string, anchors: readonly string[], source: string, accepts = isPlausible): SecretRule {
  return { name, anchors, pattern: new RegExp(source, 'dy'), accepts };
}

/**
 * Tokens whose issuers gave them a recognisable form, as their public documentation describes it. Each is, from its
 * anchor on, one of the `longRuns` of a text; what stands apart from its anchor is a matter for `credentialRules`.
 */
export const tokenRules: readonly SecretRule[] = [
  rule('aws-access-key-id', ['A(?:KIA|SIA)'], `${open}A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])`),
  rule('google-api-key', ['AIza'], `${open}AIza[\\w-]{35}(?![A-Za-z0-9])`),
  rule('google-oauth', ['ya29\\.'], `${open}ya29\\.[\\w-]{20,2048}`),
  rule('google-oauth', ['GOCSPX-'], 'GOCSPX-[\\w-]{20,64}'),
  rule('google-oauth', ['1//0'], `${open}1//0[\\w-]{40,256}`, isRandom),
  rule(
    'azure-storage-key',
    ['AccountKey=', 'SharedAccessKey='],
    '(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{40,88}={0,2})',
  ),
  rule('azure-sas', ['sig='], '(?<=[?&;])sig=([A-Za-z0-9%+/_-]{40,120}={0,2})'),
  rule(
    'azure-client-secret',
    ['[0-9]Q~'],
    '(?<=(?<![\\w~.-])([\\w~.-]{3}))(\\dQ~[\\w~.-]{31,34})(?![\\w~-])',
  ),
  rule('github-token', ['gh[opsur]_'], 'gh[opsur]_[A-Za-z0-9]{30,255}'),
  rule('github-token', ['github_pat_'], 'github_pat_\\w{40,255}'),
  rule(
    'gitlab-token',
    ['gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|oas)-'],
    `${open}gl[a-z]{2,5}-[\\w-]{20,255}(?:\\.[\\w-]{2,32}){0,3}`,
  ),
  rule('slack-token', ['xox[abeoprs]', 'xapp-'], '(?:xox[abeoprs](?:\\.xox[bp])?|xapp)-[A-Za-z0-9-]{20,255}'),
  rule(
    'slack-webhook',
    ['hooks\\.slack\\.com/'],
    'hooks\\.slack\\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{30,128})',
  ),
  rule(
    'stripe-key',
    ['[rs]k_(?:live|test)_', 'whsec_'],
    `${open}(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9+/]{20,255}={0,2}`,
  ),
  rule('twilio-key', ['SK[0-9a-f]{4}'], `${open}SK[0-9a-f]{32}(?![A-Za-z0-9])`),
  rule('sendgrid-key', ['SG\\.'], `${open}SG\\.[\\w-]{16,32}\\.[\\w-]{32,64}`),
  rule('mailgun-key', ['key-[0-9a-f]{4}'], `${open}key-[0-9a-f]{32}(?![A-Za-z0-9])`),
  rule(
    'mailgun-key',
    ['-[0-9a-f]{8}-'],
    '(?<=(?<![A-Za-z0-9])([0-9a-f]{32}))(-[0-9a-f]{8}-[0-9a-f]{8})(?![0-9a-f-])',
  ),
  rule('npm-token', ['npm_'], `${open}npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])`),
  rule('pypi-token', ['pypi-A'], `${open}pypi-A[\\w-]{50,1024}`),
  rule('anthropic-key', ['sk-ant-'], `${open}sk-ant-[\\w-]{32,255}`),
  rule(
    'openai-key',
    ['sk-'],
    `${open}sk-(?!ant-)(?:(?:proj|svcacct|admin|None)-[\\w-]{32,255}|[A-Za-z0-9]{32,64}(?![A-Za-z0-9]))`,
    isRandom,
  ),
  rule('openrouter-key', ['sk-or-'], `${open}sk-or-(?:v\\d-)?[0-9a-f]{48,80}`),
  rule(
    'hugging-face-token',
    ['hf_', 'api_org_'],
    `${open}(?:hf|api_org)_[A-Za-z0-9]{30,64}(?![A-Za-z0-9_])`,
    isRandom,
  ),
  rule('digitalocean-token', ['do[opr]_v1_'], 'do[opr]_v1_[0-9a-f]{60,80}'),
  rule('heroku-key', ['HRKU-'], `${open}HRKU-[\\w-]{36,80}`),
  rule('telegram-token', [':AA'], '(?<=(?<!\\d)\\d{8,10}):(AA[\\w-]{33})(?![\\w-])'),
  rule(
    'discord-token',
    ['[MNO][\\w-]{23}'],
    '(?<![\\w-])[MNO][\\w-]{23,27}\\.[\\w-]{6,7}\\.[\\w-]{27,45}(?![\\w-])',
    isRandom,
  ),
  rule(
    'discord-webhook',
    ['/api/webhooks/'],
    '(?<=discord(?:app)?\\.com)/api/webhooks/\\d{17,20}/([\\w-]{60,80})',
  ),
  rule('shopify-token', ['shp(?:at|ca|pa|ss)_'], `${open}shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}`),
  rule('databricks-token', ['dapi[0-9a-f]{4}'], `${open}dapi[0-9a-f]{32}(?:-\\d)?(?![A-Za-z0-9])`),
  rule('docker-token', ['dckr_pat_'], 'dckr_pat_[\\w-]{24,64}'),
  rule('linear-key', ['lin_api_'], 'lin_api_[A-Za-z0-9]{32,64}'),
  rule('notion-token', ['ntn_'], `${open}ntn_[A-Za-z0-9]{40,64}`),
  rule('atlassian-token', ['ATATT3'], 'ATATT3[\\w=-]{60,400}'),
  rule('age-key', ['AGE-SECRET-KEY-1'], 'AGE-SECRET-KEY-1([0-9A-Z]{50,64})'),
  rule('vault-token', ['hv[bs]\\.'], `${open}hv[bs]\\.[\\w-]{24,300}`, isRandom),
  rule('groq-key', ['gsk_'], `${open}gsk_[A-Za-z0-9]{48,64}`),
  rule('replicate-token', ['r8_'], `${open}r8_[A-Za-z0-9]{36,42}(?![A-Za-z0-9])`),
  rule('newrelic-key', ['NRAK-'], `${open}NRAK-[A-Z0-9]{27}`),
  rule('sentry-token', ['sntry[su]_'], 'sntry[su]_[\\w+/=-]{40,300}'),
  rule('figma-token', ['figd_'], `${open}figd_[\\w-]{36,64}`),
  rule('postman-key', ['PMAK-'], `${open}PMAK-[0-9a-f]{24}-[0-9a-f]{34}`),
  rule('supabase-token', ['sbp_', 'sb_secret_'], `${open}(?:sbp_[0-9a-f]{40}|sb_secret_[\\w-]{24,64})`),
  rule(
    'grafana-token',
    ['gl(?:sa|c)_'],
    `${open}gl(?:sa_[A-Za-z0-9]{32}_[0-9a-f]{8}|c_[A-Za-z0-9+/]{32,400}={0,2})`,
  ),
  rule('rubygems-key', ['rubygems_'], `${open}rubygems_[0-9a-f]{48}`),
  rule(
    'square-token',
    ['EAAA', 'sq0'],
    `${open}(?:EAAA[\\w-]{60}|sq0[a-z]{3}-[\\w-]{22,43})(?![\\w-])`,
    isRandom,
  ),
  rule('jwt', ['eyJ'], '(?<![\\w-])eyJ[\\w-]{8,2048}\\.eyJ[\\w-]{8,8192}\\.[\\w-]{16,1024}'),
];
