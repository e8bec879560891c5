import {
  cacheClearOperation,
  cacheExportOperation,
  cacheImportOperation,
  cacheStatsOperation,
} from './cache.ts';
import { cleanAllOperation, cleanOperation } from './clean.ts';
import { configOperation } from './config.ts';
import { consentGiveOperation, consentListOperation, consentWithdrawOperation } from './consent.ts';
import { doctorOperation } from './doctor.ts';
import { evalOperation } from './eval.ts';
import { indexOperation } from './index-project.ts';
import { manifestOperation } from './manifest.ts';
import { modelAddOperation, modelListOperation, modelRemoveOperation } from './model.ts';
import type { Operation } from './operation.ts';
import { repairOperation } from './repair.ts';
import { searchOperation } from './search.ts';
import { statusOperation } from './status.ts';
import { verifyOperation } from './verify.ts';
import { watchOperation } from './watch.ts';

/** Every operation, in the order of help. A group's name alone means its first operation. */
export const operations = [
  searchOperation,
  indexOperation,
  statusOperation,
  watchOperation,
  verifyOperation,
  repairOperation,
  cleanOperation,
  cleanAllOperation,
  manifestOperation,
  modelListOperation,
  modelAddOperation,
  modelRemoveOperation,
  cacheStatsOperation,
  cacheExportOperation,
  cacheImportOperation,
  cacheClearOperation,
  consentListOperation,
  consentGiveOperation,
  consentWithdrawOperation,
  configOperation,
  doctorOperation,
  evalOperation,
] as unknown as readonly Operation[]; // Each is typed by its own schemas; a list of them is only rendered.
