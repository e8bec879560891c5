import type { KeptDefinition } from '../file/graph-rows.ts';
import type { GraphView } from '../resolve/view.ts';
import { createReferences, type FoundReference, type References } from './references.ts';
import { calleesOf, testsOf } from './related.ts';

const shown = 2;

/** One short line of what the graph knows of a definition: who calls it, what it calls, where it is tested; empty where it knows nothing. */
export function factsOf(
  view: GraphView,
  definition: KeptDefinition,
  references: References = createReferences(view),
): string {
  const mentions = references.of([definition]);
  const callers = callersIn(mentions.filter(({ isTest }) => !isTest));
  const { callees } = calleesOf(references, [definition]);
  const tests = testsOf(view, [], mentions);
  const calls = callees
    .filter(({ certainty }) => certainty === 'certain')
    .map(({ definition: { name } }) => name);
  return [
    callers.length > 0 && `called by ${listed(callers)}`,
    calls.length > 0 && `calls ${listed([...new Set(calls)])}`,
    tests.length > 0 && `tested in ${listed(tests)}`,
  ]
    .filter((part) => part !== false)
    .join('; ');
}

function callersIn(mentions: readonly FoundReference[]): string[] {
  const calls = mentions.filter(({ kind, certainty }) => kind === 'call' && certainty === 'certain');
  return [...new Set(calls.map(({ within, uri }) => within?.name ?? uri))];
}

function listed(names: readonly string[]): string {
  const rest = names.length - shown;
  return names.slice(0, shown).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
