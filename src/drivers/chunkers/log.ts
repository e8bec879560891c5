import type { Chunker, ChunkLimits } from '../../contracts/chunker.ts';
import { pack } from './cutting.ts';
import { cutLines, type TextRange } from './lines.ts';
import { type LogLine, readLogLine } from './log-line.ts';
import { lineRanges, mergeSmall, type SectionCut, sectionDrafts, type TextSection } from './sections.ts';
import { createTokenMeter, type TokenMeter } from './token-meter.ts';

/** The entries of one day or one session. */
interface Period extends TextSection {
  readonly entries: readonly TextRange[];
  readonly names: readonly string[];
}

/** Logs by day and by session; an entry with its stack trace stays whole where it fits. */
export function createLogChunker(): Chunker {
  return {
    async chunk({ text, title }, limits) {
      const meter = createTokenMeter(text, limits);
      const periods = mergeSmall(periodsOf(text, title), limits, meter, (first, second) =>
        period(title, [...first.names, ...second.names], [...first.entries, ...second.entries]),
      );
      const entries = new Map(periods.map((one) => [one.start, one.entries]));
      const cut: SectionCut = ({ start }) => cutEntries(text, entries.get(start) ?? [], limits, meter);
      return { drafts: sectionDrafts(text, periods, limits, meter, cut) };
    },
  };
}

export default createLogChunker;

function periodsOf(text: string, title: string): Period[] {
  const periods: Period[] = [];
  let session = '';
  let date = '';
  let entries: { start: number; end: number }[] = [];
  const close = (): void => {
    if (entries.length > 0) periods.push(period(title, [nameOf(session, date)], entries));
    entries = [];
  };
  for (const range of lineRanges(text, { start: 0, end: text.length })) {
    const line: LogLine = readLogLine(text.slice(range.start, Math.min(range.end, range.start + 400)));
    if (line.session !== undefined || (line.date !== undefined && date !== '' && line.date !== date)) close();
    if (line.session !== undefined) {
      session = line.session;
      date = '';
    }
    date = line.date ?? date;
    const last = entries.at(-1);
    if (last && !line.startsEntry) last.end = range.end;
    else entries.push({ ...range });
  }
  close();
  return periods;
}

function nameOf(session: string, date: string): string {
  return [session, session.includes(date) ? '' : date].filter((part) => part !== '').join(' > ');
}

function period(title: string, names: readonly string[], entries: readonly TextRange[]): Period {
  const [first = '', last = ''] = [names[0], names.at(-1)];
  const name = first === last ? first : [first, last].filter((part) => part !== '').join(' – ');
  const header = [title, name].filter((part) => part !== '').join(' > ');
  return { start: entries[0]?.start ?? 0, end: entries.at(-1)?.end ?? 0, name, header, names, entries };
}

function cutEntries(
  text: string,
  entries: readonly TextRange[],
  limits: ChunkLimits,
  meter: TokenMeter,
): readonly TextRange[] {
  const pieces = entries.flatMap((entry) => {
    const fits = meter.tokens(entry.start, entry.end) <= limits.maxTokens;
    return fits ? [entry] : cutLines(text, limits, meter, entry);
  });
  return pack(
    pieces.map(({ start, end }) => ({ start, end, tokens: meter.tokens(start, end) })),
    limits,
  );
}
