import { QuarryError } from '../../../core/errors.ts';
import { nearestWord } from '../../../core/text/nearest-words.ts';
import type { OperationEntry } from '../../../operations/catalogue.ts';
import { commands, flagCommands, performed } from './commands.ts';
import { ownCommands } from './own-commands.ts';

/** Flags of every command that take no value; `-y` and `--yes` where there is something to agree to. */
const switches = /^(--(json|quiet|color|help|yes|no-.+)|-[hy])$/;

/** The same words with flags that stand before the command behind it. */
export function withCommandFirst(words: readonly string[]): readonly string[] {
  const known = new Set([...performed, ...ownCommands].map(({ name }) => name.split(' ')[0]));
  let at = 0;
  while (words[at]?.startsWith('-') && words[at] !== '--') {
    const [flag = '', value] = words.slice(at);
    const hasValue = !switches.test(flag) && !flag.includes('=') && value !== undefined;
    // A flag that only some commands have may be a switch of the one that follows.
    const isOwn = /^--(project|server|set)$/.test(flag);
    at += hasValue && (isOwn || !known.has(value)) ? 2 : 1;
  }
  const [flags, meant] = [words.slice(0, at), words.slice(at)];
  if (meant.length === 0)
    return flags.some((flag) => flag === '--help' || flag === '-h') ? ['--help'] : words;
  const afterWords = [...meant, '-'].findIndex((word) => word.startsWith('-'));
  return meant.toSpliced(afterWords, 0, ...flags);
}

/** What words ask for. */
export interface FoundCommand {
  readonly entry: OperationEntry;
  /** The words that follow. */
  readonly rest: string[];
  /** The group, where it is all that was named. */
  readonly group?: string;
  /** What to write from now on, where a name of the version before was written. */
  readonly instead?: string;
}

/** The operation that the first words name, with a flag that asks for another one, and the remaining words. */
export function findCommand(words: readonly string[]): FoundCommand {
  const found = named(words);
  const { entry, rest } = found;
  if (entry.command !== undefined) return { ...found, instead: entry.command };
  const flags = rest.slice(0, [...rest, '--'].indexOf('--'));
  const other = flagCommands(entry.name).find(({ flag }) => flags.includes(flag));
  return other ? { entry: other.entry, rest: rest.toSpliced(rest.indexOf(other.flag), 1) } : found;
}

function named(words: readonly string[]): FoundCommand {
  const [first = '', second] = words;
  if (first.startsWith('-'))
    throw new QuarryError(
      'usage-invalid',
      `No command follows ${first}.`,
      'Name one, like: quarry search WORDS --json. Run: quarry --help',
    );
  const entryOf = (name: string) => performed.find((entry) => entry.name === name);
  const ofTwoWords = second !== undefined && entryOf(`${first} ${second}`);
  if (ofTwoWords) return { entry: ofTwoWords, rest: words.slice(2) };
  const ofOneWord = entryOf(first);
  if (ofOneWord) return { entry: ofOneWord, rest: words.slice(1) };
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  const [meant] = group;
  if (meant && (second === undefined || second.startsWith('-')))
    return { entry: meant, rest: words.slice(1), group: first };
  throw notFound(meant ? `${first} ${second}` : first, meant ? group : [...commands, ...ownCommands]);
}

function notFound(name: string, known: readonly Pick<OperationEntry, 'name'>[]): QuarryError {
  const names = known.map((entry) => entry.name);
  // A group's name is a command too: `cahce` means `cache`.
  const meant = nearestWord(name, [...names, ...names.map((each) => each.split(' ')[0] ?? '')]);
  return new QuarryError(
    'usage-invalid',
    `There is no command "${name}".`,
    meant ? `Did you mean: quarry ${meant}` : `Use one of: ${names.join(', ')}. Run: quarry --help`,
  );
}
