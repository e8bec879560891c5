/** What the beginning of a line of a log says. */
export interface LogLine {
  /** Whether an entry begins here; other lines continue the entry before them. */
  readonly startsEntry: boolean;
  /** The day, as ISO 8601 where the year is written, else as the log writes it. */
  readonly date?: string;
  /** The words of a line that begins a session. */
  readonly session?: string;
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const month = `(${months.join('|')})`;
const isoDate = /^[^\p{L}\p{N}]{0,4}(\d{4})[-/.](\d{2})[-/.](\d{2})(?!\d)/u;
const syslogDate = new RegExp(`^(?:<\\d{1,3}>)?${month} {1,2}(\\d{1,2}) \\d{2}:\\d{2}`);
const serverDate = new RegExp(`^.{0,150}\\[(\\d{2})/${month}/(\\d{4}):`);
const fieldDate = /^\s*\{.{0,200}"(?:@?timestamp|time|ts|date)"\s*:\s*"(\d{4})-(\d{2})-(\d{2})/i;
const dayFirst = /^[^\p{L}\p{N}]{0,2}(\d{1,2}[./]\d{1,2}[./]\d{4})(?!\d)/u;
const timeOrLevel =
  /^[[(]?(?:\d{1,2}:\d{2}(?::\d{2})?\b|\d{10}(?:\d{3})?\b|(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b)/;
const sessionMark = /^\s*(?:[=*~#_-]{2,}|#)\s*(\S.{0,200}?)\s*[=*~#_-]*\s*$/;
const sessionWord = /\b(?:session|run|build|boot|start(?:ed|ing)?)\b/i;

/** Reads the beginning of one line; longer lines may be cut after some hundred characters. */
export function readLogLine(line: string): LogLine {
  const session = sessionOf(line);
  if (session !== undefined) return { startsEntry: true, session, ...optionalDate(dateIn(session)) };
  const date = dateIn(line);
  const plain = line.length > 0 && !/^\s/.test(line) && (timeOrLevel.test(line) || /^\{"/.test(line));
  return { startsEntry: date !== undefined || plain, ...optionalDate(date) };
}

function sessionOf(line: string): string | undefined {
  const words = sessionMark.exec(line.trimEnd())?.[1] ?? /^(session\b.{0,200})/i.exec(line.trimEnd())?.[1];
  return words && sessionWord.test(words) ? words.trim() : undefined;
}

function optionalDate(date: string | undefined): { date?: string } {
  return date === undefined ? {} : { date };
}

function dateIn(line: string): string | undefined {
  const iso = isoDate.exec(line) ?? fieldDate.exec(line);
  if (iso) return `${iso[1]}-${iso[2]}-${iso[3]}`;
  const server = serverDate.exec(line);
  if (server)
    return `${server[3]}-${String(months.indexOf(server[2] ?? '') + 1).padStart(2, '0')}-${server[1]}`;
  const syslog = syslogDate.exec(line);
  if (syslog) return `${syslog[1]} ${syslog[2]}`;
  return dayFirst.exec(line)?.[1];
}
