import { looksRandom } from './likelihood.ts';
import type { SecretRule } from './secret-rule.ts';
import { tokenFormats } from './token-formats.ts';
import { isIssued, open, templateRule } from './token-template.ts';

const isPlausible = (token: string) => isIssued(token, 3);
const isRandom = (token: string) => isPlausible(token) && looksRandom(token);

function rule(name: string, anchors: readonly string[], source: string, accepts = isPlausible): SecretRule {
  return { name, anchors, pattern: new RegExp(source, 'dy'), accepts };
}

/**
 * Tokens that a template cannot describe: with parts that may be missing, with what stands before them, or with a part
 * that stays readable. Each is, from its anchor on, one of the `longRuns` of a text.
 */
const irregularRules: readonly SecretRule[] = [
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
  rule(
    'gitlab-token',
    ['gl(?:pat|ptt|dt|rt|cbt|ft|ffct|imt|soat|agent|oas)-'],
    `${open}gl[a-z]{2,5}-[\\w-]{20,255}(?:\\.[\\w-]{2,32}){0,3}`,
  ),
  rule('slack-token', ['xox[abeoprs]', 'xapp-'], '(?:xox[abeoprs](?:\\.xox[bp])?|xapp)-[A-Za-z0-9-]{20,255}'),
  rule(
    'slack-webhook',
    ['hooks\\.slack\\.com/'],
    'hooks\\.slack\\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{30,128})',
  ),
  rule(
    'teams-webhook',
    ['webhook\\.office\\.com/'],
    'webhook\\.office\\.com/webhookb2/([0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[0-9a-f]{32}/[0-9a-f-]{36})',
  ),
  rule(
    'stripe-key',
    ['[rs]k_(?:live|prod|test)_', 'whsec_'],
    `${open}(?:[rs]k_(?:live|prod|test)|whsec)_[A-Za-z0-9+/]{20,255}={0,2}`,
  ),
  rule(
    'mailgun-key',
    ['-[0-9a-f]{8}-'],
    '(?<=(?<![A-Za-z0-9])([0-9a-f]{32}))(-[0-9a-f]{8}-[0-9a-f]{8})(?![0-9a-f-])',
  ),
  rule('mailchimp-key', ['-us[0-9]'], '(?<=(?<![A-Za-z0-9])([0-9a-f]{32}))(-us\\d{1,2})(?![A-Za-z0-9])'),
  rule('maxmind-key', ['_mmk'], '(?<=(?<![A-Za-z0-9])([A-Za-z0-9]{6}_[A-Za-z0-9]{29}))(_mmk)(?!\\w)'),
  rule(
    'terraform-token',
    ['atlasv1\\.'],
    '(?<=(?<![A-Za-z0-9])([A-Za-z0-9]{14})\\.)(atlasv1\\.[\\w=-]{60,70})(?![A-Za-z0-9])',
  ),
  rule(
    'openai-key',
    ['sk-'],
    `${open}sk-(?!ant-)(?:(?:proj|svcacct|admin|None)-[\\w-]{32,255}|[A-Za-z0-9]{32,64}(?![A-Za-z0-9]))`,
    isRandom,
  ),
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
  rule('databricks-token', ['dapi[0-9a-f]{4}'], `${open}dapi[0-9a-f]{32}(?:-\\d)?(?![A-Za-z0-9])`),
  rule('age-key', ['AGE-SECRET-KEY-1'], 'AGE-SECRET-KEY-1([0-9A-Z]{50,64})'),
  rule(
    'square-token',
    ['EAAA', 'sq0'],
    `${open}(?:EAAA[\\w-]{60}|sq0[a-z]{3}-[\\w-]{22,43})(?![\\w-])`,
    isRandom,
  ),
  rule('jwt', ['eyJ'], '(?<![\\w-])eyJ[\\w-]{8,2048}\\.eyJ[\\w-]{8,8192}\\.[\\w-]{16,1024}'),
];

/** Tokens that are recognised by their own form; what stands apart from its anchor is for `credentialRules`. */
export const tokenRules: readonly SecretRule[] = [
  ...tokenFormats.map(([name, bits, ...forms]) => templateRule(name, bits, forms)),
  ...irregularRules,
];
