import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, expect, test } from 'vitest';
import { loadOperations } from '../../../operations/catalogue.ts';
import { scopeOf } from '../../../operations/permission.ts';
import { startTestServer } from '../server.fixture.ts';
import { renderOpenApi } from './openapi.ts';

type Description = { paths: Record<string, Record<string, { operationId: string }>> };

let description: Description;
beforeAll(async () => {
  description = JSON.parse(JSON.stringify(renderOpenApi('1.2.3', await loadOperations()))) as Description;
});

test('the description is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(description);
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test('it names each route once, every operation that is offered, and no other', async () => {
  const ids = Object.values(description.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  for (const operation of await loadOperations()) {
    const path = `/v1/projects/{project}/${operation.name.replaceAll(' ', '/')}`;
    expect([operation.name, path in description.paths]).toEqual([
      operation.name,
      scopeOf(operation) !== undefined,
    ]);
  }
});

/** The page and its files are no interface for programs. */
const isOfPage = (route: string): boolean => /^GET \/($|icon\.svg$|assets\/)/.test(route);

test('it describes every route that the server has, and the server has every one that it describes', async () => {
  const running = await startTestServer();
  const described = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  expect([...new Set(running.server.routes)].filter((route) => !isOfPage(route)).sort()).toEqual(
    described.sort(),
  );
  await running.server.end();
});
