import { Copy } from '../shell/copy.tsx';
import { plainly } from '../shell/words.ts';
import { commandFor } from './command.ts';
import { askFor, question } from './query-state.ts';
import { type FilterName, filterNames, noFilters } from './questions.ts';

/** What narrows the search down now; a click takes it back. */
export function SetFilters() {
  const asked = question.value;
  const chosen = [...filterNames, 'projects' as const].filter((name) => asked[name] !== '');
  if (chosen.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters that are set">
      {chosen.map((name) => {
        const shown = plainly(shownValue(name, asked[name]));
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
        <button type="button" onClick={() => askFor({ ...noFilters, projects: '' })}>
          Clear filters
        </button>
      </li>
      <li>
        <Copy text={commandFor(asked)} name="Copy as a command" />
      </li>
    </ul>
  );
}

/** A filter as it is said: of what is left out its name, and not its globs. */
function shownValue(name: FilterName | 'projects', value: string): string {
  if (name === 'projects') return value === '*' ? 'all projects' : value;
  if (name !== 'path') return value;
  const said = value.split(/[\s,]+/).map((glob) => glob.replace(/^!(.+?)(?:\/\*\*)?$/, 'not $1'));
  return [...new Set(said)].join(', ');
}
