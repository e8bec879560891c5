/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema?: unknown;
}

const queryNames = [
  'query',
  'q',
  'search',
  'text',
  'question',
  'pattern',
  'searchQuery',
  'search_query',
  'input',
];
const limitNames = ['limit', 'top_k', 'topK', 'k', 'max_results', 'maxResults', 'n_results', 'count'];
const searchTools = ['search', 'query', 'search_files', 'search_nodes', 'search-vault', 'find', 'retrieve'];

/** The tool that answers searches: the named one, else the one whose name says so, else the only one. */
export function chooseTool<Tool extends ListedTool>(
  tools: readonly Tool[],
  named: string | undefined,
): Tool | undefined {
  if (named !== undefined) return tools.find(({ name }) => name === named);
  const wellKnown = searchTools
    .map((name) => tools.find((tool) => tool.name === name))
    .find((tool) => tool !== undefined);
  const searching = tools.filter(({ name }) => /search|query|retriev/i.test(name));
  return wellKnown ?? (searching.length === 1 ? searching[0] : tools.length === 1 ? tools[0] : undefined);
}

/**
 * The arguments of a call: from the template, in which `{query}` and `{limit}` stand for both, else by the names in the
 * tool's schema. Undefined where no field takes the query.
 */
export function argumentsFor(
  { inputSchema }: ListedTool,
  template: Readonly<Record<string, unknown>> | undefined,
  query: string,
  limit: number,
): Record<string, unknown> | undefined {
  if (template) return filled(template, query, limit) as Record<string, unknown>;
  const { properties = {}, required = [] } = (inputSchema ?? {}) as {
    properties?: Record<string, { type?: unknown } | undefined>;
    required?: readonly string[];
  };
  const isText = (name: string): boolean => properties[name]?.type === 'string';
  const field = queryNames.find(isText) ?? required.find(isText);
  if (field === undefined) return undefined;
  const limitField = limitNames.find((name) =>
    ['integer', 'number'].includes(String(properties[name]?.type)),
  );
  return { [field]: query, ...(limitField !== undefined && { [limitField]: limit }) };
}

function filled(value: unknown, query: string, limit: number): unknown {
  if (value === '{limit}') return limit;
  if (typeof value === 'string')
    return value.replaceAll('{query}', () => query).replaceAll('{limit}', String(limit));
  if (Array.isArray(value)) return value.map((each) => filled(each, query, limit));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, query, limit)]));
}
