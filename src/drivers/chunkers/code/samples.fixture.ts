import { readFileSync } from 'node:fs';
import type { ChunkLimits } from '../../../contracts/chunker.ts';
import type { Document } from '../../../core/document.ts';
import { documentRecord } from '../../../testing/documents.ts';

/** A document with this text at this path. */
export function documentOf(uri: string, text: string): Document {
  return { ...documentRecord(uri, { type: 'code', title: uri }), text };
}

/** The sample of a language, named after the file it would be. */
export function sampleOf(name: string): Document {
  return documentOf(name, readFileSync(new URL(`./fixtures/${name}.txt`, import.meta.url), 'utf8'));
}

/** Limits that count lines, so that a test can say exactly what fits. */
export function lineLimits(minTokens: number, targetTokens: number, maxTokens: number): ChunkLimits {
  return { minTokens, targetTokens, maxTokens, overlapTokens: 0, countTokens: countLines };
}

/** Limits in four characters a token, much as a tokeniser would count. */
export function characterLimits(minTokens: number, targetTokens: number, maxTokens: number): ChunkLimits {
  const countTokens = (text: string) => Math.ceil(text.length / 4);
  return { minTokens, targetTokens, maxTokens, overlapTokens: 0, countTokens };
}

function countLines(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '').length;
}

/** Characters that are not white space and in no span, or in two. */
export function misplaced(text: string, spans: readonly { start: number; end: number }[]): readonly string[] {
  const wrong: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    if (start < at || end > text.length || start >= end) wrong.push(`span ${start}-${end} after ${at}`);
    if (text.slice(at, start).trim() !== '') wrong.push(text.slice(at, start));
    at = end;
  }
  if (text.slice(at).trim() !== '') wrong.push(text.slice(at));
  return wrong;
}
