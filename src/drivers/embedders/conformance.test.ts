import { describe, test } from 'vitest';
import { driverContext } from '../../testing/driver-context.ts';
import { embedderConformance } from '../../testing/embedder-conformance.ts';
import hashing from './hashing.ts';
import local from './local/driver.ts';

describe.each([
  ['hashing', () => hashing.open(hashing.options.parse({}), driverContext())],
  ['local', () => local.open(local.options.parse({}), driverContext())],
] as const)('%s', (_, open) => {
  for (const { promise, check } of embedderConformance) test(promise, () => check(open));
});
