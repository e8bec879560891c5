import { workerData } from 'node:worker_threads';
import type { Extraction, RawFile } from '../../contracts/extractor.ts';
import { serveCalls } from '../../platform/threads/serve-calls.ts';
import type { Bounds } from './bounds.ts';
import { createPdfExtractor } from './pdf.ts';

// A damaged file leaves rejected promises behind, which the threads of the product ignore too.
process.on('unhandledRejection', () => {});

const extractor = createPdfExtractor(workerData as Bounds);
serveCalls<RawFile, Extraction>(async (file) => ({ value: await extractor.extract(file) }));
