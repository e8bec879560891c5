import type { ResultOf } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Copy } from '../shell/copy.tsx';
import { counted, plainly } from '../shell/words.ts';
import { commandFor } from './command.ts';
import { facetsOf } from './facets.ts';
import { askFor, question } from './query-state.ts';
import { filterNames } from './questions.ts';
import { searchFor } from './several.ts';

/** Hits that are counted: those that a reader may come to. */
const countedHits = 100;

/** What the hits can be narrowed down by, each with how many there are, and what narrows them down now. */
export function FacetBar({ project, result }: { project: string; result: ResultOf<'search'> }) {
  const asked = question.value;
  const { result: wide } = useAnswer(async () => {
    if (result.hits.length < 2) return result;
    const counting = { full: false, explain: false, brief: true, top_k: countedHits, update: false };
    return searchFor(project, asked, counting);
  }, [project, result]);
  const facets = wide ? facetsOf(wide.hits) : [];
  const chosen = [...filterNames, 'projects' as const].filter((name) => asked[name] !== '');
  return (
    <div class="facets">
      {chosen.length > 0 && (
        <ul class="chips" aria-label="Filters that are set">
          {chosen.map((name) => {
            const shown =
              name === 'projects' && asked.projects === '*' ? 'all projects' : plainly(asked[name]);
            return (
              <li key={name}>
                <button
                  type="button"
                  aria-label={`Remove the filter ${name}: ${shown}`}
                  onClick={() => askFor({ [name]: '' })}
                >
                  {shown} <span aria-hidden="true">×</span>
                </button>
              </li>
            );
          })}
          <li>
            <Copy text={commandFor(asked)} name="Copy as a command" />
          </li>
        </ul>
      )}
      {facets
        .filter(({ filter }) => asked[filter] === '' || asked[filter] === '*')
        .map(({ filter, name, values }) => (
          <fieldset key={filter} class="facet">
            <legend>{name}</legend>
            {values.map((each) => (
              <button
                key={each.value}
                type="button"
                aria-label={`${name} ${plainly(each.name)}: ${each.count}`}
                onClick={() => askFor({ [filter]: each.value })}
              >
                {plainly(each.name)} <span class="quiet">{counted(each.count)}</span>
              </button>
            ))}
          </fieldset>
        ))}
    </div>
  );
}
