import { QuarryError } from '../core/errors.ts';
import { retiredRemedy } from '../core/settings/retired-remedy.ts';

/** What became of a setting that the version before had: another one takes its value, or it no longer counts, and why. */
type Retired =
  /** With `only`, of its values that one alone. */
  { readonly now: string; readonly only?: string } | { readonly fixed: string };

const sizes = { fixed: 'chunking.sizes chooses the sizes, which were measured' };
const threads = { now: 'resources.threads' };
const timeout = { now: 'resources.timeout_seconds' };

/** Settings of the version before, by key. They are read for one version, with a warning. */
export const retiredSettings: Readonly<Record<string, Retired>> = {
  'index.threads': threads,
  'index.max_document_bytes': {
    fixed: 'PDF, DOCX, e-mail and notebooks may have 32 times as many bytes as index.max_file_bytes',
  },
  'embedder.threads': threads,
  'embedder.timeout_seconds': timeout,
  'embedder.binary': { fixed: 'servers are sent text' },
  'reranker.threads': threads,
  'generator.threads': threads,
  'chunking.strategy': { now: 'chunking.sizes', only: 'characters' },
  'chunking.characters': { now: 'chunking.by_characters.size' },
  'chunking.overlap_characters': { now: 'chunking.by_characters.overlap' },
  'chunking.min_tokens': sizes,
  'chunking.target_tokens': sizes,
  'chunking.max_tokens': sizes,
  'chunking.code_max_tokens': sizes,
  'chunking.email_max_tokens': { fixed: 'a message of up to 800 tokens stays whole' },
  'chunking.overlap_tokens': { fixed: 'prose is cut without overlap, which found no more' },
  'store.tenant': { now: 'store.chroma.tenant' },
  'store.database': { now: 'store.chroma.database' },
  'store.mcp_server': { now: 'store.mcp.server' },
  'store.mcp_tool': { now: 'store.mcp.tool' },
  'store.mcp_arguments': { now: 'store.mcp.arguments' },
  'store.mcp_result': { now: 'store.mcp.result' },
  'search.candidates': { fixed: 'each searcher contributes its best 60 chunks' },
  'search.fusion': { fixed: 'results are combined by their scores, which finds more' },
  'search.diversity': { fixed: 'copies are shown once, and search.per_document spreads the rest' },
  'reranker.protocol': { now: 'reranker.driver' },
  'reranker.weight': { fixed: 'each reranker has the share that was measured' },
  'reranker.candidates': { fixed: 'it looks at the best 20' },
  'generator.timeout_seconds': timeout,
  'generator.rewrite_seconds': { fixed: 'rules complete a follow-up question, and a model gained nothing' },
  'generator.temperature': { fixed: 'it is 0, the likeliest answer' },
  'generator.context_tokens': { fixed: 'it follows from context.max_tokens and generator.max_tokens' },
  'resident.idle_minutes': { fixed: 'the engine in the background ends after 30 minutes without work' },
};

/** Values of the version before, by key: another one takes its place, or what other settings say does. */
const retiredValues: Readonly<
  Record<string, Readonly<Record<string, { readonly now?: string; readonly said: string }>>>
> = {
  // Two settings chose a server: the other one has its name.
  'reranker.driver': { http: { said: '"cohere", "jina" or "tei"' } },
  'embedder.driver': { tokens: { now: 'openai', said: '"openai", with the same vectors,' } },
};

/** A setting as it is called and meant now. */
interface TodaysSetting {
  readonly key: string;
  readonly value: unknown;
}

/** A setting as it was written, under the name it has now. */
export interface WrittenSetting extends TodaysSetting {
  /** The name it was written by, where that is another one. */
  readonly writtenAs?: string;
}

/**
 * The settings under the names of today, those of the version before first, so that today's names win; where several of these are one number
 * now, the largest counts: it was enough for each of them. `notices` says what became of them.
 */
export function underTodaysNames(
  written: Iterable<readonly [string, unknown]>,
  place: string,
  notices: string[],
): WrittenSetting[] {
  const previous: WrittenSetting[] = [];
  const today: WrittenSetting[] = [];
  for (const [key, value] of written) {
    const now = asOfToday(key, value, place, notices);
    if (now?.key === key) today.push({ key, value: withoutRetiredEntries(key, now.value, place, notices) });
    else if (now) previous.push({ ...now, writtenAs: key });
  }
  const sizeOf = ({ value }: WrittenSetting): number => (typeof value === 'number' ? value : 0);
  return [...previous.sort((one, other) => sizeOf(one) - sizeOf(other)), ...today];
}

/** What a setting is today; undefined where it no longer counts. What changed is added to the notices. */
export function asOfToday(
  key: string,
  value: unknown,
  place: string,
  notices: string[],
): TodaysSetting | undefined {
  const retired = Object.hasOwn(retiredSettings, key) ? retiredSettings[key] : undefined;
  if (retired) {
    notices.push(noticeOf(key, retired, place));
    const isMeant = 'now' in retired && (retired.only ?? value) === value;
    return isMeant ? { key: retired.now, value } : undefined;
  }
  const values = Object.hasOwn(retiredValues, key) ? retiredValues[key] : undefined;
  const meant =
    values && typeof value === 'string' && Object.hasOwn(values, value) ? values[value] : undefined;
  if (!meant) return { key, value };
  notices.push(`${place} sets ${key} to "${value}", which is ${meant.said} now.`);
  return meant.now === undefined ? undefined : { key, value: meant.now };
}

/** The names of the version before for this setting, or for entries of it. */
export function retiredNames(key: string): string[] {
  return Object.entries(retiredSettings)
    .filter(([, retired]) => 'now' in retired && (retired.now === key || retired.now.startsWith(`${key}.`)))
    .map(([name]) => name);
}

/** Further embedders had the same settings as the first. */
function withoutRetiredEntries(key: string, value: unknown, place: string, notices: string[]): unknown {
  if (key !== 'embedders' || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, table]) => {
      if (typeof table !== 'object' || table === null) return [name, table];
      const kept = Object.entries(table).flatMap(([entry, given]) => {
        const said: string[] = [];
        const now = asOfToday(`embedder.${entry}`, given, place, said);
        const own = `embedders.${name}.${entry}`;
        if (now?.key === `embedder.${entry}`) {
          notices.push(...said.map((notice) => notice.replace(`embedder.${entry}`, own)));
          return [[entry, now.value]];
        }
        const why = now
          ? `${now.key} holds for all models.`
          : said.map((notice) => notice.replace(/^.*?: /s, '')).join(' ');
        notices.push(`${place} sets ${own}, which no longer counts: ${why}`);
        return [];
      });
      return [name, Object.fromEntries(kept)];
    }),
  );
}

function noticeOf(key: string, retired: Retired, place: string): string {
  return 'now' in retired
    ? `${place} sets ${key}, which is ${retired.now} now.`
    : `${place} sets ${key}, which no longer counts: ${retired.fixed}.`;
}

/** The warning that settings have other names by now or no longer count, where there are any. */
export function retiredWarnings(notices: readonly string[]): QuarryError[] {
  return notices.length === 0 ? [] : [new QuarryError('config-invalid', notices.join(' '), retiredRemedy)];
}
