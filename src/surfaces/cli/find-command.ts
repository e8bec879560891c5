import { QuarryError } from '../../core/errors.ts';
import { operations } from '../../operations/catalogue.ts';
import type { Operation } from '../../operations/operation.ts';

/** The operation that the first words name, and the remaining words. */
export function findCommand(words: readonly string[]): { operation: Operation; rest: string[] } {
  const [first = '', second] = words;
  const named = (name: string) => operations.find((operation) => operation.name === name);
  const ofTwoWords = second !== undefined && named(`${first} ${second}`);
  if (ofTwoWords) return { operation: ofTwoWords, rest: words.slice(2) };
  const ofOneWord = named(first);
  if (ofOneWord) return { operation: ofOneWord, rest: words.slice(1) };
  const group = operations.filter(({ name }) => name.startsWith(`${first} `));
  const [meant] = group;
  if (meant && (second === undefined || second.startsWith('-')))
    return { operation: meant, rest: words.slice(1) };
  throw notFound(meant ? `${first} ${second}` : first, meant ? group : operations);
}

function notFound(name: string, known: readonly Operation[]): QuarryError {
  const names = known.map((operation) => operation.name).join(', ');
  return new QuarryError(
    'usage-invalid',
    `There is no command "${name}".`,
    `Use one of: ${names}. Run: quarry --help`,
  );
}
