import { QuarryError } from '../../core/errors.ts';
import type { OperationEntry } from '../../operations/catalogue.ts';
import { commands } from './commands.ts';
import { nearestWord } from './did-you-mean.ts';
import { ownCommands } from './own-commands.ts';

/** The operation that the first words name, and the remaining words. */
export function findCommand(words: readonly string[]): { entry: OperationEntry; rest: string[] } {
  const [first = '', second] = words;
  const named = (name: string) => commands.find((entry) => entry.name === name);
  const ofTwoWords = second !== undefined && named(`${first} ${second}`);
  if (ofTwoWords) return { entry: ofTwoWords, rest: words.slice(2) };
  const ofOneWord = named(first);
  if (ofOneWord) return { entry: ofOneWord, rest: words.slice(1) };
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  const [meant] = group;
  if (meant && (second === undefined || second.startsWith('-')))
    return { entry: meant, rest: words.slice(1) };
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
