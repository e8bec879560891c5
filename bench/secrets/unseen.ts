import { createForge } from '../../src/secrets/forge.fixture.ts';
import type { SecretCase } from './case.ts';

/**
 * Forms of tokens from their issuers' own pages. None of them is in the rules or in the rule sets that those were
 * gathered from, so that they show how the rules do on what they were not written for.
 */
const forms: Readonly<Record<string, string>> = {
  xai: 'xai-{a80}',
  tailscale: 'tskey-auth-{a12}CNTRL-{a32}',
  langsmith: 'lsv2_pt_{h32}_{h10}',
  nvidia: 'nvapi-{w64}',
  pinecone: 'pcsk_{a6}_{a63}',
  posthog: 'phx_{a43}',
  netlify: 'nfp_{a36}',
  buildkite: 'bkua_{h40}',
  circleci: 'CCIPAT_{a22}_{h40}',
  deno: 'ddp_{a36}',
  neon: 'napi_{l64}',
  resend: 're_{a8}_{a24}',
  fireworks: 'fw_{a24}',
  e2b: 'e2b_{h40}',
  tavily: 'tvly-dev-{a32}',
  firecrawl: 'fc-{h32}',
  langfuse: 'sk-lf-{uuid}',
  anyscale: 'esecret_{l26}',
  vercel: 'vercel_blob_rw_{a16}_{a30}',
  valtown: 'vtwn_{a27}',
  trigger: 'tr_prod_{a20}',
  inngest: 'signkey-prod-{h64}',
  render: 'rnd_{a28}',
  contentful: 'CFPAT-{w43}',
  bitbucket: 'ATBB{a24}{u8}',
  klaviyo: 'pk_{h34}',
  razorpay: 'rzp_live_{a14}',
  dify: 'app-{a24}',
  mollie: 'live_{a30}',
  elastic: 'essu_{b76}==',
  voyage: 'pa-{w43}',
  jina: 'jina_{a32}{w28}',
  cerebras: 'csk-{l48}',
  ngrok: '2{a26}_{a20}',
  crates: 'cio{a32}',
  ionic: 'ion_{a42}',
  devcycle: 'dvc_server_{h8}_{h4}_{h4}_{h4}_{h12}_{h7}',
  rootly: 'rootly_{h64}',
  expo: 'expo_{w40}',
  polar: 'polar_oat_{a43}',
  hookdeck: 'hkdk_{a40}',
  wandb: 'wandb_v1_{a27}_{a51}',
  aiven: 'aivenv1{b60}',
  mercury: 'mercury_production_wma_{a44}_yrucrem',
  midtrans: 'Mid-server-{w24}',
  coveo: 'xx{l8}-{l4}-{l4}-{l4}-{l12}',
  scaleway: 'SCW{u17}',
  onfido: 'api_live.{w11}.{w32}',
};

/** Where tokens stand; the first three say nothing of a secret. */
const places: readonly ((token: string, name: string) => string)[] = [
  (token) => `const client = new Client("${token}", { retries: 3 });`,
  (token) => `2026-03-02 10:11:12 INFO  worker[17]: started with ${token} in eu-west-1`,
  (token) => `{ "region": "eu", "value": "${token}", "active": true }`,
  (token, name) => `export ${name.toUpperCase()}_API_KEY=${token}\nexport PORT=8080\n`,
  (token, name) => `${name}:\n  token: ${token}\n  timeout: 30\n`,
  (token, name) => `curl -H "Authorization: Bearer ${token}" https://api.${name}.internal/v1/me`,
];

const forge = createForge(20_261_115);

/** Each form in each place. */
export const unseenPositives: readonly SecretCase[] = Object.entries(forms).flatMap(([name, form]) =>
  places.map((place) => ({ rule: name, marked: place(`«${forge.token(form)}»`, name) })),
);
