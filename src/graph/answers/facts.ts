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
    callers.length > 0 && `called by ${listed(callers, shownPlaces, callerLine)}`,
    calls.length > 0 && `calls ${listed([...new Set(calls)], shownNames, String)}`,
    tests.length > 0 && `tested in ${listed(tests, shownPlaces, String)}`,
  ]
    .filter((part) => part !== false)
    .join('; ');
}

/** The first call of each caller. */
function callersIn(mentions: readonly FoundReference[]): FoundReference[] {
  const callers = new Map<string, FoundReference>();
  for (const mention of mentions) {
    const key = `${mention.uri} ${mention.withinAt}`;
    if (mention.kind === 'call' && mention.certainty === 'certain' && !callers.has(key))
      callers.set(key, mention);
  }
  return [...callers.values()];
}

function callerLine({ within, uri, line }: FoundReference): string {
  return within ? `${within.name} ${uri}:${line}` : `${uri}:${line}`;
}

function listed<Item>(items: readonly Item[], shown: number, lineOf: (item: Item) => string): string {
  const rest = items.length - shown;
  return items.slice(0, shown).map(lineOf).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
