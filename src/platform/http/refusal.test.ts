import { expect, test } from 'vitest';
import { refusalOf, type Service } from './refusal.ts';
import { unreachable } from './unreachable.ts';

const service: Service = {
  table: 'embedder',
  host: 'host:8080',
  model: 'the-model',
  credentials: { variable: 'QUARRY_EMBEDDER_API_KEY', value: undefined, isRequired: false },
};

function refused(status: number, body: unknown) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const { error, tooMuch } = refusalOf({ status, headers: {}, body: bytes }, service);
  return { code: error.code, tooMuch, message: error.message };
}

test.each([
  [400, "This model's maximum context length is 8192 tokens, however you requested 9000 tokens", 'text'],
  [400, 'the input length exceeds the context length', 'text'],
  [500, 'input is too large to process. increase the physical batch size', 'text'],
  [413, '`inputs` must have less than 512 tokens. Given: 785', 'text'],
  [422, 'batch size 64 > maximum allowed batch size 32', 'call'],
  [400, 'Requested 453357 tokens, max 300000 tokens per request', 'call'],
  [400, '* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch\n', 'call'],
  [400, 'Request payload size exceeds the limit: 4194304 bytes.', 'call'],
  [400, 'input batch size 100 > maximum allowed batch size 64', 'call'],
  [413, '', 'call'],
  [500, 'CUDA out of memory. Tried to allocate 2.00 GiB', 'call'],
  [424, 'out of memory', 'call'],
])('HTTP %i with %j is too much: the %s', (status, message, tooMuch) => {
  const expected = { tooMuch, code: tooMuch === 'call' ? 'embedding-too-large' : 'embedding-failed' };
  expect(refused(status, { error: { message } })).toMatchObject(expected);
  expect(refused(status, { error: message })).toMatchObject(expected);
  expect(refused(status, { object: 'error', message })).toMatchObject(expected);
});

test.each([
  [400, 'This model does not support specifying dimensions.', 'provider-refused'],
  [400, 'model "x" not found, try pulling it first', 'provider-refused'],
  [404, '', 'provider-refused'],
  [405, 'Method Not Allowed', 'provider-refused'],
  [400, 'a text has no meaning', 'embedding-failed'],
  [401, 'no', 'provider-key'],
  [403, 'too many tokens', 'provider-key'],
  [429, 'too many tokens in a minute', 'provider-limited'],
  [424, 'the device is lost', 'provider-unreachable'],
  [504, '<html><body>Gateway Time-out</body></html>', 'provider-unreachable'],
])('HTTP %i with %j is %s', (status, message, code) => {
  expect(refused(status, { error: message })).toMatchObject({ code, tooMuch: undefined });
});

test('shows no page of a gateway', () => {
  expect(refused(502, '<!DOCTYPE html><html>long page</html>').message).toBe(
    'host:8080 fails at the moment (HTTP 502).',
  );
});

test('shows plain words that are not JSON', () => {
  expect(refused(503, 'upstream is\r\n starting').message).toContain('upstream is starting');
});

test.each([
  ['ENOTFOUND', 'cannot be found'],
  ['EAI_AGAIN', 'cannot be found'],
  ['ECONNREFUSED', 'Nothing answers'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'No trusted connection'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'No trusted connection'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'No trusted connection'],
  ['ECONNRESET', 'broke off'],
  ['ETIMEDOUT', 'broke off'],
])('a call that ends with %s says that the host %s', (code, words) => {
  const cause = Object.assign(new TypeError('x'), { code });
  const error = unreachable(new URL('https://host:8080/v1'), cause, 'embedder');
  expect(error).toMatchObject({ code: 'provider-unreachable' });
  expect(error.message).toContain(words);
  expect(error.message).toContain(code);
});
