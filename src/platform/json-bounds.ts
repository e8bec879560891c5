import { QuarryError } from '../core/errors.ts';

/** How much a JSON document may hold. */
export interface JsonBounds {
  /** Objects, lists, strings, keys. Each costs far more in memory than on the wire, and again when it is checked. */
  readonly values: number;
  /** Numbers that follow one another, as in a vector. They cost little. */
  readonly numbers: number;
}

/** The deepest nesting; no request needs more … */
const deepest = 32;
/** … nor more keys in one object. */
const maxKeys = 1_000;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Counts what is in a JSON document while its bytes arrive, and fails as soon as it holds too much: before anything is
 * made of it. What is no JSON is counted as if it were; the parser refuses it afterwards.
 */
export function boundJson(max: JsonBounds): (part: Uint8Array) => void {
  const count = { depth: 0, values: 0, numbers: 0 };
  /** Keys of the objects that are open, by their depth. */
  const keys = new Uint32Array(deepest + 1);
  const state = { isInString: false, isEscaped: false, isAfterDigit: false };
  return (part) => {
    // Variables of its own make the loop ten times as fast: every byte of every caller goes through it.
    let { depth, values, numbers } = count;
    let { isInString, isEscaped, isAfterDigit } = state;
    for (let at = 0; at < part.length; at += 1) {
      const byte = part[at] as number;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInString = false;
        continue;
      }
      switch (byte) {
        case quote:
          isInString = true;
          break;
        case comma:
          if (isAfterDigit) numbers += 1;
          else values += 1;
          break;
        case colon:
          values += 1;
          keys[depth] = (keys[depth] ?? 0) + 1;
          if ((keys[depth] ?? 0) > maxKeys) throw tooMuch(`holds an object of more than ${maxKeys} keys`);
          break;
        case openList:
        case openObject:
          values += 1;
          depth += 1;
          if (depth > deepest) throw tooMuch(`is nested deeper than ${deepest} levels`);
          keys[depth] = 0;
          break;
        case closeList:
        case closeObject:
          depth = Math.max(0, depth - 1);
          break;
        default:
      }
      isAfterDigit = byte >= 0x30 && byte <= 0x39;
    }
    if (values > max.values) throw tooMuch(`holds more than ${max.values} values`);
    if (numbers > max.numbers) throw tooMuch(`holds more than ${max.numbers} numbers`);
    Object.assign(count, { depth, values, numbers });
    Object.assign(state, { isInString, isEscaped, isAfterDigit });
  };
}

function tooMuch(what: string): QuarryError {
  return new QuarryError('request-too-large', `The body ${what}.`, 'Send less at once.');
}
