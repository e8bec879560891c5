import { cacheOperation } from './cache.ts';
import { configOperation } from './config.ts';
import { consentOperation } from './consent.ts';
import { doctorOperation } from './doctor.ts';
import { indexOperation } from './index-project.ts';
import { modelOperation } from './model.ts';
import type { Operation } from './operation.ts';
import { searchOperation } from './search.ts';
import { statusOperation } from './status.ts';

/** Everything a user can ask, in the order it is listed. */
export const operations = [
  searchOperation,
  indexOperation,
  statusOperation,
  modelOperation,
  cacheOperation,
  consentOperation,
  configOperation,
  doctorOperation,
] as unknown as readonly Operation[]; // Each is typed by its own schemas; a list of them is only rendered.
