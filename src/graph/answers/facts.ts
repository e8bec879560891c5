import type { KeptDefinition } from '../file/graph-rows.ts';
import type { GraphView } from '../resolve/view.ts';
import { createReferences, type FoundReference, type References } from './references.ts';
import { calleesOf, testsOf } from './related.ts';

/** Callers, each with its place, and tests that are named. */
const shownPlaces = 3;
/** Names that are called: a place for each would be longer than what it says. */
const shownNames = 6;
/** A name in more files, such as `get`, is thought over mention by mention: for that it has to be asked about. */
const maxFiles = 400;

/** One short line of what the graph knows of a definition: who calls it, what it calls, where it is tested; empty where it knows nothing. */
export function factsOf(
  view: GraphView,
  definition: KeptDefinition,
  references: References = createReferences(view),
): string {
  if (view.mentionsOf(definition.name).length > maxFiles) return '';
  const mentions = references.of([definition]);
  const callers = callersIn(mentions.filter(({ isTest }) => !isTest));
  const { callees } = calleesOf(references, [definition]);
  const tests = testsOf(view, [], mentions);
  const calls = callees
    .filter(({ certainty }) => certainty === 'certain')
    .map(({ definition: { name } }) => name);
  return [
    callers.length > 0 && `called by ${listed(callers, shownPlaces)}`,
    calls.length > 0 && `calls ${listed([...new Set(calls)], shownNames)}`,
    tests.length > 0 && `tested in ${listed(tests, shownPlaces)}`,
  ]
    .filter((part) => part !== false)
    .join('; ');
}

/** Each caller once, with the line of its first call. */
function callersIn(mentions: readonly FoundReference[]): string[] {
  const callers = new Map<string, string>();
  for (const { kind, certainty, within, uri, line } of mentions) {
    const key = `${uri} ${within?.position}`;
    if (kind !== 'call' || certainty !== 'certain' || callers.has(key)) continue;
    callers.set(key, within ? `${within.name} ${uri}:${line}` : `${uri}:${line}`);
  }
  return [...callers.values()];
}

function listed(names: readonly string[], shown: number): string {
  const rest = names.length - shown;
  return names.slice(0, shown).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
