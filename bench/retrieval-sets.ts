import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type JudgedQuestion, readDataset } from '../src/evaluation/dataset.ts';
import { ndcg } from '../src/evaluation/metrics.ts';
import { openProject, type Project } from '../src/index.ts';
import { writeFiles } from '../src/testing/temporary-folder.ts';

const depth = 10;
/** Chunks to ask for, so that ten documents remain when several chunks belong to one. */
const passages = 60;

/** An indexed collection with its questions; the score is nDCG@10 over documents. */
export interface EvaluatedSet {
  readonly project: Project;
  nameOf(uri: string): string;
  readonly questions: readonly JudgedQuestion[];
  readonly chunks: number;
  score(question: JudgedQuestion, denseWeight: number | undefined): Promise<number>;
  close(): Promise<void>;
}

type Settings = Record<string, unknown>;

/** Collections of texts: one project for each scope. */
export async function* openTextSets(folder: string, settings: Settings): AsyncGenerator<EvaluatedSet> {
  const { documents, questions } = await readDataset(folder);
  const extension = /cosqa/.test(folder) ? 'py' : /ray/.test(folder) ? 'md' : 'txt';
  for (const scope of new Set(documents.map((document) => document.scope))) {
    const names = new Map<string, string>();
    const files: Record<string, string> = {};
    documents.forEach((document, index) => {
      if (document.scope !== scope) return;
      const name = `${index}.${extension}`;
      names.set(name, document.id);
      files[name] =
        document.title && extension !== 'py' ? `${document.title}\n\n${document.text}` : document.text;
    });
    const project = await indexed(await keptFolder(`${basename(folder)}-${scope ?? 'all'}`, files), settings);
    yield evaluated(
      project,
      questions.filter((question) => question.scope === scope),
      (uri) => names.get(uri) ?? uri,
    );
  }
}

/** Repositories from the registry: a hit is a path that ends with a relevant path, or is the end of one. */
export async function* openPackageSets(folder: string, settings: Settings): AsyncGenerator<EvaluatedSet> {
  const rows = readFileSync(join(folder, 'queries.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  for (const name of new Set<string>(rows.map((row) => row.package))) {
    const own = rows.filter((row) => row.package === name);
    const root = own[0].root as string;
    const project = await indexed(join(unpacked(name), 'package', root), settings);
    const questions = own.map((row) => ({
      id: row._id,
      text: row.text,
      relevant: new Map<string, number>(row.relevant.map(({ path }: { path: string }) => [path, 1])),
    }));
    yield evaluated(project, questions, (uri) => join(root, uri));
  }
}

async function indexed(folder: string, settings: Settings): Promise<Project> {
  const project = await openProject(folder, { settings });
  for await (const event of project.index())
    if (event.type === 'document-failed') console.error(event.uri, event.reason);
  return project;
}

async function evaluated(
  project: Project,
  questions: readonly JudgedQuestion[],
  nameOf: (uri: string) => string,
): Promise<EvaluatedSet> {
  const { chunks } = await (await project.store()).counts();
  return {
    project,
    nameOf,
    questions,
    chunks,
    async score(question, denseWeight) {
      const { hits } = await project.search(question.text, {
        topK: passages,
        ...(denseWeight !== undefined && { denseWeight }),
      });
      const ranked = [...new Set(hits.map(({ document }) => nameOf(document.uri)))];
      // A judgement may name the end of a path only.
      const matched = ranked.map(
        (name) =>
          [...question.relevant.keys()].find(
            (path) => name === path || name.endsWith(`/${path}`) || path.endsWith(`/${name}`),
          ) ?? name,
      );
      return ndcg(matched, question.relevant, depth);
    },
    close: () => project.close(),
  };
}

/** The same folder each time, so that its index keeps the vectors of texts that did not change. */
async function keptFolder(name: string, files: Record<string, string>): Promise<string> {
  const place = join(tmpdir(), 'quarry-bench-sets', name.replace(/[^\w-]/g, '_'));
  if (!existsSync(place)) await writeFiles(place, files);
  return place;
}

function unpacked(name: string): string {
  const place = join(tmpdir(), 'quarry-bench-packages', name.replaceAll('/', '_'));
  if (existsSync(join(place, 'package'))) return place;
  mkdirSync(place, { recursive: true });
  execFileSync('npm', ['pack', '--silent', name], { cwd: place });
  const tarball = readdirSync(place).find((file) => file.endsWith('.tgz')) ?? '';
  execFileSync('tar', ['xzf', tarball], { cwd: place });
  return place;
}
