import type { Chunker } from '../contracts/chunker.ts';
import type { Driver } from '../contracts/driver.ts';
import type { Embedder } from '../contracts/embedder.ts';
import type { Extractor } from '../contracts/extractor.ts';
import type { Generator } from '../contracts/generator.ts';
import type { Reranker } from '../contracts/reranker.ts';
import type { OutsideSearcher } from '../contracts/searcher.ts';
import type { Store } from '../contracts/store.ts';
import type { VectorEngine } from '../contracts/vector-engine.ts';

type Load<Instance> = () => Promise<{ default: Driver<Instance> }>;

/** Vector makers by the name used in `embedder.driver`. */
export const embedders: Readonly<Record<string, Load<Embedder>>> = {
  local: () => import('./embedders/local/driver.ts'),
  static: () => import('./embedders/static/driver.ts'),
  openai: () => import('./embedders/openai.ts'),
  tei: () => import('./embedders/tei.ts'),
  gemini: () => import('./embedders/gemini.ts'),
  hashing: () => import('./embedders/hashing.ts'),
};

/** Judges of passages by the name used in `reranker.driver`. */
export const rerankers: Readonly<Record<string, Load<Reranker>>> = {
  maxsim: () => import('./rerankers/maxsim/driver.ts'),
  'cross-encoder': () => import('./rerankers/cross-encoder/driver.ts'),
  cohere: () => import('./rerankers/http/cohere.ts'),
  jina: () => import('./rerankers/http/jina.ts'),
  tei: () => import('./rerankers/http/tei.ts'),
};

/** Writers of text by the name used in `generator.driver`. */
export const generators: Readonly<Record<string, Load<Generator>>> = {
  openai: () => import('./generators/openai.ts'),
  anthropic: () => import('./generators/anthropic.ts'),
  gemini: () => import('./generators/gemini.ts'),
  gguf: () => import('./generators/gguf.ts'),
};

/** Indexes by the name used in `store.driver`. */
export const stores: Readonly<Record<string, Load<Store>>> = {
  sqlite: () => import('./stores/sqlite/driver.ts'),
  lancedb: () => import('./stores/lancedb/driver.ts'),
  remote: () => import('./stores/remote/driver.ts'),
  postgres: () => import('./stores/postgres/driver.ts'),
  memory: () => import('./stores/memory.ts'),
  mock: () => import('./stores/mock.ts'),
};

/** Keepers of vectors beside an index in SQLite, by the name used in `store.driver`. */
export const vectorEngines: Readonly<Record<string, Load<VectorEngine>>> = {
  chroma: () => import('./vector-engines/chroma/driver.ts'),
};

/** Searchers beside the index, by the name used in `store.driver`. */
export const searchers: Readonly<Record<string, Load<OutsideSearcher>>> = {
  mcp: () => import('./searchers/mcp/driver.ts'),
};

/** Readers of file formats. */
export const extractors = {
  text: () => import('./extractors/text.ts'),
  markdown: () => import('./extractors/markdown.ts'),
  html: () => import('./extractors/html.ts'),
  pdf: () => import('./extractors/pdf.ts'),
  picture: () => import('./extractors/picture.ts'),
  docx: () => import('./extractors/docx.ts'),
  xlsx: () => import('./extractors/xlsx.ts'),
  ods: () => import('./extractors/ods.ts'),
  pptx: () => import('./extractors/pptx.ts'),
  odp: () => import('./extractors/odp.ts'),
  odt: () => import('./extractors/odt.ts'),
  epub: () => import('./extractors/epub.ts'),
  ics: () => import('./extractors/ics.ts'),
  vcf: () => import('./extractors/vcf.ts'),
  rtf: () => import('./extractors/rtf.ts'),
  msg: () => import('./extractors/msg.ts'),
  email: () => import('./extractors/email.ts'),
  mbox: () => import('./extractors/mbox.ts'),
  notebook: () => import('./extractors/notebook.ts'),
  transcript: () => import('./extractors/transcript.ts'),
  commit: () => import('./extractors/commit.ts'),
} satisfies Record<string, () => Promise<{ default: () => Extractor }>>;

/** Cutters of text. */
export const chunkers = {
  markdown: () => import('./chunkers/markdown/markdown.ts'),
  prose: () => import('./chunkers/prose.ts'),
  characters: () => import('./chunkers/characters.ts'),
  code: () => import('./chunkers/code/code.ts'),
  pages: () => import('./chunkers/pages.ts'),
  email: () => import('./chunkers/email.ts'),
  log: () => import('./chunkers/log.ts'),
  data: () => import('./chunkers/data.ts'),
  rows: () => import('./chunkers/data-rows.ts'),
  sheets: () => import('./chunkers/sheets.ts'),
  slides: () => import('./chunkers/slides.ts'),
  entries: () => import('./chunkers/entries.ts'),
  exploration: () => import('./chunkers/exploration.ts'),
  blocks: () => import('./chunkers/blocks.ts'),
  lines: () => import('./chunkers/line-chunker.ts'),
  commit: () => import('./chunkers/commit.ts'),
} satisfies Record<string, () => Promise<{ default: (options?: never) => Chunker }>>;
