import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import type { QuarryError } from '../../src/core/errors.ts';
import { counted } from '../../src/core/text/counted.ts';
import type {
  EvaluationSet,
  GivenSettings,
  OpenedPart,
  SetOptions,
  SetPart,
} from '../../src/evaluation/evaluation-set.ts';
import { badLine, jsonLines, linesOf } from '../../src/evaluation/labels/json-lines.ts';
import type { JudgedQuestion, Label } from '../../src/evaluation/labels/judgement.ts';
import { openProject } from '../../src/project/open-project.ts';
import { arePaths, type DocumentPaths, documentPaths, everyFile } from './document-paths.ts';
import { fileHash, keepMade, placeOf, writeFolder } from './work-folder.ts';

/** Changes when the same corpus would be written to other files. */
const layout = 2;
/** Documents that are examined to find what a collection is made of. */
const sampled = 200;

const textOrNumber = z.union([z.string(), z.number()]).transform(String);
const documentSchema = z.looseObject({
  _id: textOrNumber,
  title: z.string().nullish(),
  text: z.string(),
  scope: textOrNumber.optional(),
  lang: z.string().optional(),
});
const questionSchema = z.looseObject({
  _id: textOrNumber,
  text: z.string(),
  scope: textOrNumber.optional(),
  category: textOrNumber.optional(),
});

const documentExample = '{"_id": "d1", "title": "A title", "text": "The whole text."}';
const questionExample = '{"_id": "q1", "text": "What is asked?"}';
const judgementExample = 'q1<TAB>d1<TAB>1';

type CorpusRow = z.output<typeof documentSchema>;

/** The file of each document of a corpus, by scope. */
interface Corpus {
  readonly file: string;
  readonly hash: string;
  /** What the names of its files depend on, besides the corpus. */
  readonly naming: string;
  /** Name of the file by document, and the other way round, for each scope. */
  readonly scopes: ReadonlyMap<string | undefined, ScopeNames>;
}

interface ScopeNames {
  readonly uriOf: Map<string, string>;
  readonly idOf: Map<string, string>;
}

/** How a collection is read. */
export interface CollectionOptions extends SetOptions {
  /** Ending of the files that texts are written to; by the look of the collection where absent. */
  readonly extension?: string | undefined;
}

/** Reads a collection of texts: `corpus.jsonl`, `queries.jsonl` and `qrels.tsv` with a grade a line. */
export async function readCollection(folder: string, options: CollectionOptions): Promise<EvaluationSet> {
  const { signal } = options;
  const corpus = await readCorpus(join(folder, 'corpus.jsonl'), options);
  const judged = await readJudgements(join(folder, 'qrels.tsv'), signal);
  const questions = new Map<string | undefined, JudgedQuestion[]>();
  let unjudged = 0;
  let asked = 0;
  let lost = 0;
  const file = join(folder, 'queries.jsonl');
  const seen = new Set<string>();
  for await (const { line, row } of jsonLines(file, questionSchema, questionExample, signal)) {
    if (seen.has(row._id)) throw standsTwice(file, line, row._id, questionExample);
    seen.add(row._id);
    if (options.limit !== undefined && asked >= options.limit) break;
    const own = judged.get(row._id);
    if (!own || row.text.trim() === '') unjudged += 1;
    else if (!corpus.scopes.has(row.scope)) lost += 1;
    else {
      asked += 1;
      const category = row.category !== undefined && { category: row.category };
      const uris = corpus.scopes.get(row.scope)?.uriOf;
      // A document that the scope lacks keeps its id, and is reported as absent.
      const labels = own.map(({ path, grade }) => ({ path: uris?.get(path) ?? path, grade }));
      const question = { id: row._id, text: row.text, labels, ...category };
      const previous = questions.get(row.scope);
      if (previous) previous.push(question);
      else questions.set(row.scope, [question]);
    }
  }
  const scopes = [...corpus.scopes.keys()];
  return {
    name: basename(folder),
    unjudged,
    warnings:
      lost === 0 ? [] : [`Not asked because their scope has no document: ${counted(lost, 'question')}.`],
    parts: scopes.flatMap((scope, index) => {
      const part = questions.get(scope);
      return part ? [partOf(corpus, scope, index, part, { ...options, folder })] : [];
    }),
  };
}

function partOf(
  corpus: Corpus,
  scope: string | undefined,
  index: number,
  questions: readonly JudgedQuestion[],
  { cacheFolder, folder }: SetOptions & { readonly folder: string },
): SetPart {
  const names = corpus.scopes.get(scope) ?? { uriOf: new Map(), idOf: new Map() };
  return {
    questions,
    async open(settings: GivenSettings, signal?: AbortSignal): Promise<OpenedPart> {
      const place = join(await placeOf(cacheFolder, resolve(folder), settings), `scope-${index}`);
      const texts = join(place, 'texts');
      const madeFrom = `${layout} ${corpus.hash} ${corpus.naming}`;
      await keepMade(place, madeFrom, () => writeFolder(texts, textsOf(corpus, scope, signal)), signal);
      const project = await openProject(texts, { settings });
      return {
        project,
        isMeant: () => false,
        nameOf: (uri) => names.idOf.get(uri) ?? uri,
        close: () => project.close(),
      };
    },
  };
}

async function readCorpus(file: string, { extension, signal }: CollectionOptions): Promise<Corpus> {
  const hash = await fileHash(file);
  const { keepsPaths, defaultExtension } = await looksOf(file, signal);
  const scopes = new Map<string | undefined, ScopeNames & { readonly paths: DocumentPaths }>();
  for await (const { line, row } of jsonLines(file, documentSchema, documentExample, signal)) {
    const names = scopes.get(row.scope) ?? {
      uriOf: new Map(),
      idOf: new Map(),
      paths: documentPaths(keepsPaths && extension === undefined),
    };
    scopes.set(row.scope, names);
    if (names.uriOf.has(row._id)) throw standsTwice(file, line, row._id, documentExample);
    const uri = names.paths.next(row._id, extension ?? extensionOf(row) ?? defaultExtension);
    names.uriOf.set(row._id, uri);
    names.idOf.set(uri, row._id);
  }
  return { file, hash, naming: extension ?? 'as the corpus says', scopes };
}

function standsTwice(file: string, line: number, id: string, example: string): QuarryError {
  return badLine(file, line, `the _id ${JSON.stringify(id)} stands twice`, example);
}

/** The documents of one scope as files. */
async function* textsOf(corpus: Corpus, scope: string | undefined, signal: AbortSignal | undefined) {
  const names = corpus.scopes.get(scope);
  yield everyFile;
  for await (const { row } of jsonLines(corpus.file, documentSchema, documentExample, signal)) {
    const path = row.scope === scope ? names?.uriOf.get(row._id) : undefined;
    if (path === undefined) continue;
    // A title above code would not be code.
    const isProse = proseExtensions.has(path.slice(path.lastIndexOf('.') + 1));
    yield { path, content: row.title && isProse ? `${row.title}\n\n${row.text}` : row.text };
  }
}

const proseExtensions: ReadonlySet<string> = new Set(['txt', 'md', 'mdx', 'markdown', 'rst']);
const extensionOfLanguage: Readonly<Record<string, string>> = {
  python: 'py',
  javascript: 'js',
  typescript: 'ts',
  java: 'java',
  go: 'go',
  ruby: 'rb',
  php: 'php',
  rust: 'rs',
  c: 'c',
  'c++': 'cpp',
  cpp: 'cpp',
  'c#': 'cs',
  csharp: 'cs',
  kotlin: 'kt',
  swift: 'swift',
};

function extensionOf({ lang }: CorpusRow): string | undefined {
  const language = lang?.toLowerCase() ?? '';
  return Object.hasOwn(extensionOfLanguage, language) ? extensionOfLanguage[language] : undefined;
}

/** Whether a collection keeps its ids as paths, and the usual ending: Markdown where documents are named like pages. */
async function looksOf(
  file: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly keepsPaths: boolean; readonly defaultExtension: 'md' | 'txt' }> {
  const ids: string[] = [];
  for await (const { row } of jsonLines(file, documentSchema, documentExample, signal)) {
    if (ids.push(row._id) >= sampled) break;
  }
  const pages = ids.filter((id) => /\.(md|mdx|markdown|rst|ipynb)$/i.test(id)).length;
  return { keepsPaths: arePaths(ids), defaultExtension: pages * 2 > ids.length ? 'md' : 'txt' };
}

async function readJudgements(
  file: string,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, readonly Label[]>> {
  const labels = new Map<string, Label[]>();
  for await (const { line, text } of linesOf(file, signal)) {
    const [question, path, written, ...rest] = text.trim().split('\t');
    const grade = written === undefined || written.trim() === '' ? Number.NaN : Number(written);
    if (line === 1 && question !== undefined && /^query-?_?id$/i.test(question)) continue;
    if (question === undefined || path === undefined || rest.length > 0 || !Number.isFinite(grade))
      throw badLine(file, line, 'is no question, document and grade with tabs between', judgementExample);
    if (grade <= 0) continue;
    const previous = labels.get(question);
    if (previous) previous.push({ path, grade });
    else labels.set(question, [{ path, grade }]);
  }
  return labels;
}
