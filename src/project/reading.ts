import { extname } from 'node:path';
import type { Chunker } from '../contracts/chunker.ts';
import type { Embedder } from '../contracts/embedder.ts';
import type { Extractor } from '../contracts/extractor.ts';
import { originRules, typeRules } from '../core/document-type.ts';
import { QuarryError } from '../core/errors.ts';
import { pathMatcher } from '../core/filter.ts';
import { languageOf } from '../drivers/chunkers/code/languages.ts';
import { chunkers, extractors } from '../drivers/manifest.ts';
import type { ReadingParts } from '../indexing/read-document.ts';
import type { Settings } from './settings.ts';

/** Raised when extraction or chunking changes in a way that makes old chunks worth replacing. */
const readingVersion = 1;

/** Room that a context header needs inside the embedder's window. */
const headerTokens = 24;

interface Format {
  readonly mediaType: string;
  readonly extractor: keyof typeof extractors;
  readonly chunker: keyof typeof chunkers;
}

/** Formats by extension; code is told by its language, everything else is prose. */
const formats: Readonly<Record<string, Format>> = {
  ...format('text/markdown', 'markdown', 'markdown', '.md', '.markdown', '.mdx', '.mdc'),
  ...format('application/json', 'text', 'lines', '.json', '.jsonl', '.json5', '.jsonc'),
  ...format('application/yaml', 'text', 'lines', '.yaml', '.yml'),
  ...format('application/toml', 'text', 'lines', '.toml'),
  ...format('text/csv', 'text', 'lines', '.csv', '.tsv'),
  ...format('text/x-log', 'text', 'lines', '.log'),
  ...format('text/html', 'text', 'lines', '.html', '.htm', '.xml', '.svg', '.vue', '.svelte'),
  ...format('text/css', 'text', 'lines', '.css', '.scss', '.less'),
  ...format(
    'text/x-config',
    'text',
    'lines',
    '.ini',
    '.cfg',
    '.conf',
    '.properties',
    '.sql',
    '.graphql',
    '.proto',
  ),
};
const plainText: Format = { mediaType: 'text/plain', extractor: 'text', chunker: 'prose' };

/** Names everything that decides the chunks of a file. */
export function recipeOf(settings: Settings, embedder: Embedder): string {
  const { chunking, chunkers: chosen, types, origins, max_age_days } = settings;
  const sizes = sizesOf(settings, embedder);
  return JSON.stringify([
    readingVersion,
    embedder.fingerprint,
    sizes,
    chunking,
    chosen,
    types,
    origins,
    max_age_days,
  ]);
}

/** How this project's files are read and cut, from its settings and the embedder in use. */
export function readingParts(settings: Settings, embedder: Embedder): ReadingParts {
  const { chunking } = settings;
  const open = chunkerCache(settings);
  const chosen = Object.entries(settings.chunkers).map(([name, globs]) => ({
    name: knownChunker(name),
    matches: pathMatcher(globs),
  }));
  return {
    limits: { ...sizesOf(settings, embedder), countTokens: (text) => embedder.countTokens(text) },
    languageOf,
    typeOf: typeRules(settings.types),
    originOf: originRules(settings.origins),
    maxAgeDaysOf: (type) => settings.max_age_days[type],
    mediaTypeOf: (uri) => (languageOf(uri) ? 'text/x-source' : formatOf(uri).mediaType),
    extractorFor: async (uri): Promise<Extractor> => (await extractors[formatOf(uri).extractor]()).default(),
    chunkerFor: (document, wanted) => {
      const byPath = chosen.find(({ matches }) => matches(document.uri))?.name;
      if (byPath) return open(byPath);
      if (chunking.strategy === 'characters') return open('characters');
      if (wanted && Object.hasOwn(chunkers, wanted)) return open(wanted as keyof typeof chunkers);
      return open(languageOf(document.uri) ? 'code' : formatOf(document.uri).chunker);
    },
  };
}

/** Chunk sizes in tokens, within what the embedder sees at once. */
function sizesOf({ chunking }: Settings, embedder: Embedder) {
  const room = Math.max(32, embedder.maxTokens - headerTokens);
  const maxTokens = Math.min(chunking.max_tokens, room);
  const targetTokens = Math.min(chunking.target_tokens, maxTokens);
  return {
    maxTokens,
    targetTokens,
    minTokens: Math.min(chunking.min_tokens, targetTokens),
    overlapTokens: Math.min(chunking.overlap_tokens, targetTokens >> 1),
  };
}

function chunkerCache({ chunking }: Settings): (name: keyof typeof chunkers) => Promise<Chunker> {
  const opened = new Map<string, Promise<Chunker>>();
  const open = async (name: keyof typeof chunkers): Promise<Chunker> => {
    if (name !== 'characters') return (await chunkers[name]()).default();
    const { default: create } = await chunkers.characters();
    return create({ size: chunking.characters, overlap: chunking.overlap_characters });
  };
  return (name) => {
    const present = opened.get(name) ?? open(name);
    opened.set(name, present);
    return present;
  };
}

function knownChunker(name: string): keyof typeof chunkers {
  if (Object.hasOwn(chunkers, name)) return name as keyof typeof chunkers;
  throw new QuarryError(
    'driver-unknown',
    `There is no chunker named "${name}".`,
    `Use one of these in [chunkers]: ${Object.keys(chunkers).join(', ')}.`,
  );
}

function formatOf(uri: string): Format {
  return formats[extname(uri).toLowerCase()] ?? plainText;
}

function format(
  mediaType: string,
  extractor: Format['extractor'],
  chunker: Format['chunker'],
  ...extensions: string[]
): Record<string, Format> {
  return Object.fromEntries(extensions.map((extension) => [extension, { mediaType, extractor, chunker }]));
}
