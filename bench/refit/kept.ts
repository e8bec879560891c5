import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Chunk } from '../../src/core/chunk.ts';
import type { DocumentRecord } from '../../src/core/document.ts';
import type { Label } from '../../src/evaluation/labels/judgement.ts';

/** A chunk of a part by its place among all of them, and a score. */
export type Scored = readonly [chunk: number, score: number];

/** All that a part holds, and what is found in it without vectors. The same for every space. */
export interface KeptPart {
  readonly set: string;
  readonly documents: readonly DocumentRecord[];
  readonly chunks: readonly { readonly chunk: Chunk; readonly document: number }[];
  readonly questions: readonly KeptQuestion[];
}

/** A question with what was found for it. */
export interface KeptQuestion {
  readonly id: string;
  readonly text: string;
  readonly category?: string;
  readonly labels: readonly (Label & { readonly uris: readonly string[] })[];
  readonly lists: readonly { readonly stage: string; readonly matches: readonly Scored[] }[];
}

/** What one space says of the questions of a part, in their order. */
export interface KeptSpace {
  readonly answers: readonly {
    /** The nearest chunks, best first, by cosine. */
    readonly dense: readonly Scored[];
    /** What the reranker says of all candidates. */
    readonly said: readonly Scored[];
  }[];
}

const partEnding = '.part.json.gz';

/** Names of the parts in a folder of which all of these spaces are kept. */
export function keptParts(folder: string, spaces: readonly string[] = []): string[] {
  const files = new Set(readdirSync(folder));
  return [...files]
    .filter((name) => name.endsWith(partEnding))
    .map((name) => name.slice(0, -partEnding.length))
    .filter((part) => spaces.every((space) => files.has(`${part}.${space}.json.gz`)))
    .sort();
}

export function readPart(folder: string, part: string): KeptPart {
  return readZipped(join(folder, `${part}${partEnding}`)) as KeptPart;
}

export function readSpace(folder: string, part: string, space: string): KeptSpace {
  return readZipped(join(folder, `${part}.${space}.json.gz`)) as KeptSpace;
}

export function writePart(folder: string, part: string, kept: KeptPart): void {
  writeFileSync(join(folder, `${part}${partEnding}`), zipped(kept));
}

export function writeSpace(folder: string, part: string, space: string, kept: KeptSpace): void {
  writeFileSync(join(folder, `${part}.${space}.json.gz`), zipped(kept));
}

// Written by this command alone.
function readZipped(file: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
}

function zipped(value: unknown): Buffer {
  return gzipSync(JSON.stringify(value), { level: 3 });
}
