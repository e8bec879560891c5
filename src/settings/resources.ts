import { availableParallelism, totalmem } from 'node:os';
import type { Settings } from './settings.ts';

const megabyte = 2 ** 20;
/** What a copy of the bundled model takes while it works. */
const modelMegabytes = 100;
/** Copies of the model at most; further threads work inside of them and take no memory of their own. */
const maxModels = 4;
/** What a reading thread takes with its parsers and the file in hand; the least it can work with. */
const readerMegabytes = 96;
/** Reading threads where nothing is said: more are seldom faster, since the model is slower, and each takes memory. */
const maxReaders = 8;
/** Memory of one reading thread at most: enough for the largest admitted file in the most wasteful format. */
const maxReaderMegabytes = 768;
/** Bytes of files under way between the disk, the readers and the store, at most. */
const maxFileMegabytes = 64;
/** What the process itself needs besides: code, the store's cache, texts on their way. */
const ownMegabytes = 160;

/** How much of the machine a project may use. */
export interface Resources {
  /** Threads that read and cut files. */
  readonly readingThreads: number;
  /** Those of them that read the few files of a first look, whose start costs more than what they read. */
  readonly lookingThreads: number;
  /** Memory of each of them. */
  readonly readerMegabytes: number;
  /** Bytes of files that may be under way at once. */
  readonly bytesAtOnce: number;
  /** Threads of the local model. */
  readonly modelThreads: number;
  /** Memory in all, as it was decided. */
  readonly memoryMegabytes: number;
}

/** The machine as a process sees it: limits of a container count, not what lies below it. */
export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
}

/** This machine, or the part of it that this process was given. */
export function thisMachine(): Machine {
  const bound = process.constrainedMemory();
  const total = totalmem();
  return { cores: availableParallelism(), memoryBytes: bound > 0 && bound < total ? bound : total };
}

/** Divides what the settings allow, or else half of the memory and all cores, among those who work. */
export function resourcesOf(settings: Settings, machine: Machine = thisMachine()): Resources {
  const { threads: cores = machine.cores, memory_mb = Math.floor(machine.memoryBytes / 2 / megabyte) } =
    settings.resources;
  const left = Math.max(0, memory_mb - ownMegabytes);
  // The model comes first, but for one reader: reading is faster than embedding anyway.
  const models = Math.max(1, Math.floor((left - readerMegabytes) / modelMegabytes));
  const modelThreads = models < maxModels ? Math.min(cores, models) : cores;
  const forReading = Math.max(readerMegabytes, left - Math.min(modelThreads, maxModels) * modelMegabytes);
  const readingThreads = within(1, Math.min(cores, maxReaders), Math.floor(forReading / readerMegabytes));
  return {
    readingThreads,
    lookingThreads: Math.min(readingThreads, Math.max(1, cores - 1)),
    readerMegabytes: within(64, maxReaderMegabytes, Math.floor(forReading / readingThreads)),
    bytesAtOnce: Math.min(maxFileMegabytes, Math.ceil(memory_mb / 8)) * megabyte,
    modelThreads,
    memoryMegabytes: memory_mb,
  };
}

/** What a driver may use of it. */
export function driverResources(settings: Settings): {
  memoryBytes: number;
  threads: number;
  timeoutSeconds: number | undefined;
} {
  const { memoryMegabytes } = resourcesOf(settings);
  return {
    memoryBytes: memoryMegabytes * megabyte,
    threads: settings.resources.threads ?? thisMachine().cores,
    timeoutSeconds: settings.resources.timeout_seconds,
  };
}

function within(min: number, max: number, value: number): number {
  return Math.max(min, Math.min(max, value));
}
