import { signal } from '@preact/signals';
import { projects } from '../api/projects.ts';
import { askFor, question } from './query-state.ts';
import { filtersIn } from './questions.ts';

const routes = [
  ['', 'Meaning and words'],
  ['dense', 'Meaning'],
  ['text', 'Words'],
  ['exact', 'Exact text'],
  ['regex', 'Pattern'],
] as const;
const ages = [
  ['', 'Any time'],
  ['today', 'Today'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['1y', 'Last year'],
] as const;

/** Whether the reader wants to see the fields, in whatever view they are next; what is set is in sight without them. */
const isOpen = signal(false);

/** What narrows the search: type, path, language, age, and the way to search. */
export function Filters({ types }: { types: readonly string[] }) {
  const asked = question.value;
  const count = filtersIn(asked);
  return (
    <div class="filters">
      <select
        class="ways"
        aria-label="How to search"
        value={asked.route}
        onChange={(event) => askFor({ route: event.currentTarget.value })}
      >
        {routes.map(([route, name]) => (
          <option key={route} value={route}>
            {name}
          </option>
        ))}
      </select>
      {((projects.value?.length ?? 0) > 1 || asked.projects !== '') && (
        <button
          type="button"
          class="all-projects"
          aria-pressed={asked.projects !== ''}
          onClick={() => askFor({ projects: asked.projects === '' ? '*' : '' })}
        >
          All projects
        </button>
      )}
      <button
        type="button"
        class="filters-switch"
        aria-expanded={isOpen.value}
        aria-controls="filter-fields"
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        Filters{count > 0 && <b> {count}</b>}
      </button>
      <div id="filter-fields" class="filter-fields" hidden={!isOpen.value}>
        <label>
          Type
          <select value={asked.type} onChange={(event) => askFor({ type: event.currentTarget.value })}>
            <option value="">All types</option>
            {[...new Set([...types, asked.type])]
              .filter((type) => type !== '')
              .sort()
              .map((type) => (
                <option key={type} value={type}>
                  {type}
                </option>
              ))}
          </select>
        </label>
        <label>
          Path
          <input
            value={asked.path}
            placeholder="src/** !*.test.ts"
            spellcheck={false}
            autocapitalize="off"
            onChange={(event) => askFor({ path: event.currentTarget.value.trim() })}
          />
        </label>
        <label>
          Language
          <input
            value={asked.language}
            placeholder="typescript"
            spellcheck={false}
            autocapitalize="off"
            onChange={(event) => askFor({ language: event.currentTarget.value.trim().toLowerCase() })}
          />
        </label>
        <label>
          By
          <input
            value={asked.author}
            placeholder="a name or address"
            spellcheck={false}
            autocapitalize="off"
            onChange={(event) => askFor({ author: event.currentTarget.value.trim() })}
          />
        </label>
        <label>
          Tag
          <input
            value={asked.tag}
            spellcheck={false}
            autocapitalize="off"
            onChange={(event) => askFor({ tag: event.currentTarget.value.trim() })}
          />
        </label>
        <label>
          Since
          <select value={asked.since} onChange={(event) => askFor({ since: event.currentTarget.value })}>
            {ages.map(([age, name]) => (
              <option key={age} value={age}>
                {name}
              </option>
            ))}
            {!ages.some(([age]) => age === asked.since) && <option value={asked.since}>{asked.since}</option>}
          </select>
        </label>
      </div>
    </div>
  );
}
