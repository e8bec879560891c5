import { QuarryError } from '../../../core/errors.ts';

/** How much a JSON document may hold. */
export interface JsonBounds {
  /** Objects, lists, strings, keys. Each costs far more in memory than on the wire, and again when it is checked. */
  readonly values: number;
  /** Numbers that follow one another, as in a vector. They cost little. */
  readonly numbers: number;
}

/** The deepest nesting; no request needs more. */
const deepest = 32;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openers = [0x5b, 0x7b];
const closers = [0x5d, 0x7d];

/**
 * Counts what is in a JSON document while its bytes arrive, and fails as soon as it holds too much: before anything is
 * made of it. What is no JSON is counted as if it were; the parser refuses it afterwards.
 */
export function boundJson({
  values: mostValues,
  numbers: mostNumbers,
}: JsonBounds): (part: Uint8Array) => void {
  let depth = 0;
  let values = 0;
  let numbers = 0;
  let isInString = false;
  let isEscaped = false;
  let isAfterDigit = false;
  return (part) => {
    for (const byte of part) {
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInString = false;
        continue;
      }
      if (byte === quote) isInString = true;
      else if (byte === comma && isAfterDigit) numbers += 1;
      else if (byte === comma || byte === colon) values += 1;
      else if (openers.includes(byte)) {
        values += 1;
        depth += 1;
        if (depth > deepest) throw tooMuch(`is nested deeper than ${deepest} levels`);
      } else if (closers.includes(byte)) depth -= 1;
      isAfterDigit = byte >= 0x30 && byte <= 0x39;
    }
    if (values > mostValues) throw tooMuch(`holds more than ${mostValues} values`);
    if (numbers > mostNumbers) throw tooMuch(`holds more than ${mostNumbers} numbers`);
  };
}

function tooMuch(what: string): QuarryError {
  return new QuarryError('request-too-large', `The body ${what}.`, 'Send less at once.');
}
