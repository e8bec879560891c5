import type { Chunker } from '../contracts/chunker.ts';
import type { Extractor } from '../contracts/extractor.ts';
import { originRules, typeRules } from '../core/documents/document-type.ts';
import { pathMatcher } from '../core/globs/glob.ts';
import { languageOf } from '../drivers/chunkers/code/languages.ts';
import { chunkers, extractors } from '../drivers/manifest.ts';
import type { ReadingParts } from '../indexing/read-document.ts';
import { type Once, once } from '../platform/once.ts';
import { type ChunkSizes, chunkSizes } from '../settings/chunk-sizes.ts';
import type { Settings } from '../settings/settings.ts';
import { chunkersByType, formatOf } from './formats.ts';
import { languageNamed } from './source-languages.ts';
import { unpacking } from './unpacking.ts';

/** The settings that reading a file needs. */
export type ReadingSettings = Pick<
  Settings,
  'chunking' | 'chunkers' | 'types' | 'origins' | 'max_age_days'
> & { readonly index: Pick<Settings['index'], 'redact_secrets' | 'max_file_bytes'> };

/** How this project's files are read and cut; sizes are in tokens of `countTokens`. */
export function readingParts(
  settings: ReadingSettings,
  countTokens: (text: string) => number,
  sizes: ChunkSizes = chunkSizes(settings.chunking.sizes),
): ReadingParts {
  const { chunking } = settings;
  const open = chunkerCache(settings);
  const openExtractor = openOnce(
    async (name: keyof typeof extractors): Promise<Extractor> => (await extractors[name]()).default(),
  );
  const chosen = Object.entries(settings.chunkers).map(([name, globs]) => ({
    // The settings name only chunkers that exist.
    name: name as keyof typeof chunkers,
    matches: pathMatcher(globs),
  }));
  return {
    limitsFor: ({ uri }) => ({
      minTokens: sizes.min_tokens,
      targetTokens: sizes.target_tokens,
      maxTokens: languageOf(uri) ? sizes.code_max_tokens : sizes.max_tokens,
      messageTokens: sizes.email_max_tokens,
      overlapTokens: sizes.overlap_tokens,
      countTokens,
    }),
    languageOf: languageNamed,
    typeOf: typeRules(settings.types, (uri) => formatOf(uri).isSource),
    originOf: originRules(settings.origins),
    maxAgeDaysOf: (type) =>
      Object.hasOwn(settings.max_age_days, type) ? settings.max_age_days[type] : undefined,
    mediaTypeOf: (uri) => (languageOf(uri) ? 'text/x-source' : formatOf(uri).mediaType),
    redactSecrets: settings.index.redact_secrets,
    extractorFor: async (uri) =>
      unpacking(await openExtractor(formatOf(uri).extractor), settings.index.max_file_bytes),
    chunkerFor: (document, wanted) => {
      const byPath = chosen.find(({ matches }) => matches(document.uri))?.name;
      if (byPath) return open(byPath);
      if (chunking.sizes === 'characters') return open('characters');
      const byType = chunkersByType.get(document.type);
      if (byType) return open(byType);
      if (wanted && Object.hasOwn(chunkers, wanted)) return open(wanted as keyof typeof chunkers);
      return open(languageOf(document.uri) ? 'code' : formatOf(document.uri).chunker);
    },
  };
}

function chunkerCache({ chunking }: ReadingSettings): (name: keyof typeof chunkers) => Promise<Chunker> {
  return openOnce(async (name) => {
    if (name !== 'characters') return (await chunkers[name]()).default();
    const { default: create } = await chunkers.characters();
    return create(chunking.by_characters);
  });
}

/** Opens each name once; a failure is not remembered. */
function openOnce<Name, Value>(open: (name: Name) => Promise<Value>): (name: Name) => Promise<Value> {
  const opened = new Map<Name, Once<Value>>();
  return (name) => {
    const present = opened.get(name) ?? once(() => open(name));
    opened.set(name, present);
    return present();
  };
}
