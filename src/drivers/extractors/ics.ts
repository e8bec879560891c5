import type { Extractor } from '../../contracts/extractor.ts';
import { bounded, defaultBounds } from './bounds.ts';
import { decodeText, guessedEncoding } from './decode-text.ts';
import { type ContentLine, contentLines, isBinary, unescaped } from './entries/content-lines.ts';
import { type Entry, entryText } from './entries/entry-text.ts';
import { dayOf, momentText } from './entries/moments.ts';
import { plainText } from './plain-text.ts';

/** Calendars: each event, task and journal entry with its time, place and people. */
export function createIcsExtractor(bounds = defaultBounds): Extractor {
  return bounded('iCalendar', bounds, async (file, deadline) => {
    const decoded = await decodeText(file.bytes);
    if (!decoded || !/^\s*BEGIN:V(?:CALENDAR|EVENT|TODO|JOURNAL)\b/i.test(decoded.text))
      return plainText(file, 'lines');
    const components = new Components();
    for (const line of contentLines(decoded.text)) {
      if (deadline.passed() || components.length > bounds.outputCharacters) {
        components.isCut = true;
        break;
      }
      components.add(line);
    }
    const { entries, title, isCut } = components;
    if (entries.length === 0) return { kind: 'skip', reason: 'empty', rule: 'a calendar without events' };
    const notes = [guessedEncoding(decoded), isCut && `only the first ${entries.length} entries are read`];
    return entryText(entries, 'event', title, notes.filter(Boolean).join('; '));
  });
}

export default createIcsExtractor;

const kinds = new Set(['VEVENT', 'VTODO', 'VJOURNAL']);

/** What is shown of an entry, in this order, besides its name and times. */
const shown: readonly (readonly [name: string, label: string])[] = [
  ['LOCATION', 'Where'],
  ['ORGANIZER', 'Organizer'],
  ['ATTENDEE', 'Attendees'],
  ['RRULE', 'Repeats'],
  ['STATUS', 'Status'],
  ['PRIORITY', 'Priority'],
  ['PERCENT-COMPLETE', 'Percent complete'],
  ['CATEGORIES', 'Categories'],
  ['URL', 'Link'],
  ['ATTACH', 'Attachments'],
  ['DESCRIPTION', ''],
  ['COMMENT', 'Comment'],
];

/** Collects the entries of a calendar; what is inside of them, such as alarms, is no part of them. */
class Components {
  readonly entries: Entry[] = [];
  title = '';
  isCut = false;
  /** Characters collected so far. */
  length = 0;
  #open: string[] = [];
  #lines: ContentLine[] = [];

  add(line: ContentLine): void {
    const value = line.value.trim().toUpperCase();
    const inside = this.#open.at(-1) ?? '';
    if (line.name === 'BEGIN') {
      this.#open.push(value);
      if (this.#open.length > 100) this.#open.shift();
      if (kinds.has(value)) this.#lines = [];
    } else if (line.name === 'END') {
      if (kinds.has(inside)) {
        this.entries.push(entryOf(this.#lines));
        // An entry within an entry would have the lines of the other too.
        this.#lines = [];
      }
      this.#open.pop();
    } else if (kinds.has(inside)) {
      this.length += line.value.length;
      this.#lines.push(line);
    } else if (inside === 'VCALENDAR' && line.name === 'X-WR-CALNAME') this.title = unescaped(line.value);
  }
}

function entryOf(lines: readonly ContentLine[]): Entry {
  const first = (name: string) => lines.find((line) => line.name === name);
  const start = first('DTSTART') ?? first('DUE');
  const details = shown.flatMap(([name, label]) => {
    const said = lines.filter((line) => line.name === name && !isBinary(line)).map(wordsOf);
    const words = said.filter(Boolean).join(name === 'DESCRIPTION' ? '\n' : ', ');
    return words === '' ? [] : [label === '' ? `\n${words}` : `${label}: ${words}`];
  });
  return {
    name: unescaped(first('SUMMARY')?.value ?? '').replace(/\s+/g, ' '),
    date: start && dayOf(start.value),
    lines: [...timesOf(first), ...details],
  };
}

function timesOf(first: (name: string) => ContentLine | undefined): string[] {
  const [start, end, due, done] = ['DTSTART', 'DTEND', 'DUE', 'COMPLETED'].map(first);
  const duration = first('DURATION')?.value;
  const until = end ? ` – ${momentText(end)}` : duration ? ` for ${duration}` : '';
  return [
    ...(start ? [`When: ${momentText(start)}${until}`] : []),
    ...(due ? [`Due: ${momentText(due)}`] : []),
    ...(done ? [`Completed: ${momentText(done)}`] : []),
  ];
}

/** People by name and address. */
function wordsOf({ name, parameters, value }: ContentLine): string {
  const words = unescaped(value);
  if (name !== 'ORGANIZER' && name !== 'ATTENDEE') return words;
  const address = words.replace(/^mailto:/i, '');
  const person = parameters.get('CN') ?? '';
  const state = parameters.get('PARTSTAT')?.toLowerCase();
  const answer = state && state !== 'needs-action' ? ` (${state})` : '';
  return `${person && person !== address ? `${person} <${address}>` : address}${answer}`;
}
