import { expect, test } from 'vitest';
import createBlockChunker from './blocks.ts';
import { cutUp, documentAt, expectFaithful, sizeLimits, textFrom } from './sections.fixture.ts';

const chunker = createBlockChunker();
const small = sizeLimits(2, 20, 60);

const samples = {
  'schema.sql': `-- The tables of the shop.
SET search_path = shop;

-- Who buys.
CREATE TABLE IF NOT EXISTS shop.customers (
  id bigint PRIMARY KEY,
  name text NOT NULL
);

create unique index concurrently by_name on shop.customers (name);

CREATE OR REPLACE FUNCTION total(customer bigint) RETURNS numeric AS $$
  SELECT sum(price) FROM orders WHERE orders.customer = total.customer;
$$ LANGUAGE sql;
`,
  'shop.proto': `syntax = "proto3";

// Who buys.
message Customer {
  string name = 1;
  message Address { string street = 1; }
}

service Shop {
  rpc Buy (Order) returns (Receipt);
}
`,
  'shop.graphql': `"""
Who buys.
"""
type Customer implements Node @key(fields: "id") {
  id: ID!
}

extend type Query {
  customers: [Customer!]!
}
`,
  Dockerfile: `# Built in two stages.
ARG VERSION=24
FROM --platform=linux/amd64 node:24 AS build
COPY . .
RUN npm ci && npm run build

FROM node:24-slim
COPY --from=build /app /app
CMD ["node", "app"]
`,
  'Page.vue': `<script setup lang="ts">
const count = ref(0);
</script>

<template>
  <button @click="count++">{{ count }}</button>
</template>
`,
};

test.each([
  ['schema.sql', ['', 'shop.customers', 'by_name', 'total'], '-- Who buys.\nCREATE TABLE'],
  ['shop.proto', ['', 'Customer', 'Shop'], '// Who buys.\nmessage Customer'],
  ['shop.graphql', ['Customer', 'Query'], '"""\nWho buys.\n"""\ntype Customer'],
  ['Dockerfile', ['', 'build', 'node:24-slim'], 'FROM --platform'],
  ['Page.vue', ['script', 'template'], '<script setup'],
] as const)('cuts %s at what it defines, with its comments', async (uri, names, beginning) => {
  const chunks = await cutUp(chunker, documentAt(uri, samples[uri]), sizeLimits(1, 1, 60));
  expect(chunks.map(([section]) => section)).toEqual(names);
  expect(chunks.some(([, text]) => text.startsWith(beginning))).toBe(true);
});

test('names the kind and the first line of a block, and each name that a chunk has', async () => {
  const document = documentAt('schema.sql', samples['schema.sql']);
  const { drafts } = await chunker.chunk(document, sizeLimits(1, 1, 60));
  expect(drafts[1]?.symbol).toEqual({
    name: 'shop.customers',
    kind: 'table',
    signature: 'CREATE TABLE IF NOT EXISTS shop.customers',
    scope: [],
  });
  const joined = await chunker.chunk(document, sizeLimits(200, 300, 400));
  expect(joined.drafts.map(({ metadata }) => metadata?.symbols)).toEqual([
    ['shop.customers', 'by_name', 'total'],
  ]);
});

test('names what psql fills in, and takes no IF for a name', async () => {
  const text =
    'CREATE SCHEMA IF NOT EXISTS :"registry";\n\nCREATE TABLE :"registry".releases (\n  version real\n);\n\nCREATE TABLE IF NOT EXISTS %odd% (a int);\n';
  const { drafts } = await chunker.chunk(documentAt('cockroach.sql', text), sizeLimits(1, 1, 60));
  expect(drafts.map(({ symbol }) => symbol?.name)).toEqual(['registry', 'registry.releases']);
});

test('puts the first line of a block that is cut above each further part', async () => {
  const columns = Array.from({ length: 60 }, (_, index) => `  column_${index} text,`).join('\n');
  const { drafts } = await chunker.chunk(
    documentAt('wide.sql', `CREATE TABLE wide (\n${columns}\n);\n`),
    small,
  );
  expect(drafts.length).toBeGreaterThan(3);
  expect(drafts.map(({ header }) => header)).toEqual(['', ...drafts.slice(1).map(() => 'CREATE TABLE wide')]);
});

test.each(Object.keys(samples))('loses nothing of any text called %s', async (uri) => {
  await expectFaithful(chunker, uri, textFrom(Object.values(samples).flatMap((text) => text.split('\n'))));
});

test('takes linear time for a line that almost begins a block', async () => {
  const hostile = `CREATE ${'TEMP '.repeat(100_000)}\nFROM ${'--a '.repeat(100_000)}\n`;
  for (const uri of Object.keys(samples))
    await expect(cutUp(chunker, documentAt(uri, hostile), small)).resolves.not.toEqual([]);
});

test('a long signature is cut between characters', async () => {
  for (const fill of [175, 176, 177]) {
    const text = `CREATE TABLE "${'a'.repeat(fill)}${'😀'.repeat(40)}" (id int);\n`;
    const { drafts } = await chunker.chunk(documentAt('a.sql', text), small);
    for (const { symbol } of drafts) expect(symbol?.signature.isWellFormed() ?? true).toBe(true);
    expect(drafts.some(({ symbol }) => symbol !== undefined)).toBe(true);
  }
});
