import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Extraction, Extractor } from '../contracts/extractor.ts';
import { messageOf } from '../core/errors.ts';
import { machineFailure } from '../core/failures/machine-failure.ts';

const unpack = promisify(gunzip);

/** Lets an extractor read files that are packed with gzip too. What unpacks to more than the bound is never in memory. */
export function unpacking(extractor: Extractor, maxBytes: number): Extractor {
  return {
    async extract(file, recogniser) {
      if (file.bytes[0] !== 0x1f || file.bytes[1] !== 0x8b) return extractor.extract(file, recogniser);
      const unpacked = await unpack(file.bytes, { maxOutputLength: maxBytes }).catch((thrown: unknown) =>
        skipOf(thrown, maxBytes),
      );
      return 'kind' in unpacked ? unpacked : extractor.extract({ ...file, bytes: unpacked });
    },
  };
}

function skipOf(thrown: unknown, maxBytes: number): Extraction {
  if (thrown instanceof RangeError) {
    return {
      kind: 'skip',
      reason: 'too-large',
      rule: `unpacks to more than ${maxBytes} bytes (max_file_bytes)`,
    };
  }
  const failure = machineFailure(thrown);
  if (failure) throw failure;
  return { kind: 'skip', reason: 'unsupported', rule: `broken gzip: ${messageOf(thrown)}` };
}
