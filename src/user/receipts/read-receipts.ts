import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../../platform/make-folder.ts';
import { readOwnFile } from '../../platform/own-files.ts';
import { addLines, linesName, offName, type ReceiptLine, receiptsFolder } from './note-receipt.ts';

const lineSchema = z.object({
  day: z.iso.date(),
  surface: z.enum(['mcp', 'shell', 'terminal']),
  operation: z.string(),
  calls: z.int().min(1),
  given: z.number().min(0),
  named: z.number().min(0),
}) satisfies z.ZodType<ReceiptLine>;

/** Bytes of the largest file of lines that is read. */
const maxBytes = 2 ** 24;

/** What was counted since a day, summed up by who was answered and what was asked for. */
export function readReceipts(since = ''): readonly ReceiptLine[] {
  const sums = new Map<string, ReceiptLine>();
  for (const line of allLines()) {
    if (line.day < since) continue;
    const key = `${line.surface} ${line.operation}`;
    sums.set(key, addLines(sums.get(key), line));
  }
  return [...sums.values()].sort((one, other) => other.calls - one.calls);
}

/** Whether answers are counted. */
export function isCounting(): boolean {
  return !entries().includes(offName);
}

/** Begins to count, or stops and forgets what was counted. */
export async function setCounting(isOn: boolean): Promise<void> {
  const folder = receiptsFolder();
  if (isOn) {
    rmSync(join(folder, offName), { force: true });
    return;
  }
  await makeFolder(folder, 0o700);
  writeFileSync(join(folder, offName), '', { mode: 0o600 });
  for (const name of entries()) if (name !== offName) rmSync(join(folder, name), { force: true });
}

function* allLines(): Generator<ReceiptLine> {
  for (const name of entries()) {
    if (name !== linesName && !/^lines\.\d+\.\d+\.jsonl$/.test(name)) continue;
    const text = readOwnFile(join(receiptsFolder(), name), { maxBytes })?.toString() ?? '';
    for (const line of text.split('\n')) {
      const parsed = lineSchema.safeParse(asJson(line));
      // A line that a killed process left half written.
      if (parsed.success) yield parsed.data;
    }
  }
}

function asJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Half of a line, or none of ours: it is passed over.
    return undefined;
  }
}

function entries(): string[] {
  try {
    return readdirSync(receiptsFolder());
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
}
