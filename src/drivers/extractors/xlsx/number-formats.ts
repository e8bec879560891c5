import { localName } from '../office/parts.ts';
import type { XmlReader } from '../office/xml.ts';

/** How the numbers of a cell are shown. */
export type NumberKind = 'number' | 'percent' | 'date' | 'time' | 'date-time';

/** The kind of numbers by the index of a cell's style. */
export type CellStyles = readonly NumberKind[];

/** Formats that every workbook has without saying so; 27 to 36 and 50 to 58 are dates of East Asia. */
function builtIn(id: number): NumberKind {
  if (id === 9 || id === 10) return 'percent';
  if (id === 22) return 'date-time';
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) return 'time';
  return (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'date' : 'number';
}

/** Reads from the styles of a workbook which cells are dates, times and shares. */
export async function cellStyles(xml: string | undefined, readXml: XmlReader): Promise<CellStyles> {
  const formats = new Map<number, NumberKind>();
  const styles: NumberKind[] = [];
  let inCells = false;
  if (xml === undefined) return styles;
  await readXml(xml, {
    open(name, { numFmtId, formatCode }) {
      const element = localName(name);
      const id = Number(numFmtId);
      if (element === 'numFmt' && formatCode !== undefined) formats.set(id, kindOf(formatCode));
      if (element === 'cellXfs') inCells = true;
      if (element === 'xf' && inCells) styles.push(formats.get(id) ?? builtIn(id));
    },
    close(name) {
      if (localName(name) === 'cellXfs') inCells = false;
    },
  });
  return styles;
}

/** The kind of a format like `dd.mm.yyyy hh:mm` or `0.0%`, of which the first section counts. */
function kindOf(code: string): NumberKind {
  const bare = (code.split(';')[0] ?? '')
    .slice(0, 200)
    .replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  if (bare.includes('%')) return 'percent';
  const hasTime = /[hs]/i.test(bare);
  const hasDate = /[dy]/i.test(bare) || (/m/i.test(bare) && !hasTime);
  if (hasDate) return hasTime ? 'date-time' : 'date';
  return hasTime ? 'time' : 'number';
}

const day = 24 * 3600 * 1000;

/** A number of a cell as text: dates as in ISO 8601, since no two readers agree on any other form. */
export function numberText(written: string, kind: NumberKind, is1904: boolean): string {
  // Most are as they should be, and a large sheet has a million.
  if (kind === 'number' && written.length < 15 && !/e/i.test(written)) return written;
  const value = Number(written);
  if (written.trim() === '' || !Number.isFinite(value)) return written;
  if (kind === 'percent') return `${plain(value * 100)}%`;
  if (kind === 'number' || value < 0 || value > 2_958_466) return plain(value);
  // The calendar of 1900 has a 29 February that never was.
  const days = is1904 ? value + 1462 : value < 60 ? value + 1 : value;
  const moment = new Date(Math.round((days * day) / 1000) * 1000 + Date.UTC(1899, 11, 30));
  const [date = '', time = ''] = moment.toISOString().slice(0, 19).split('T');
  if (kind === 'time') return value < 1 ? time : `${plain(Math.floor(value * 24))}${time.slice(2)}`;
  if (kind === 'date') return date;
  return `${date} ${time.replace(/:00$/, '')}`;
}

/** Without the last digits of a binary fraction, which are no part of what somebody wrote. */
function plain(value: number): string {
  return String(Number(value.toPrecision(15)));
}
