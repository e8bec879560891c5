import { test } from 'vitest';
import { loadUsearch } from './load-usearch.ts';

/** A test that needs the optional graph library, which npm leaves out where it does not fit the system or its Node.js. */
export const graphTest = test.skipIf(loadUsearch() === undefined);
