import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { QuarryError } from '../../src/core/errors.ts';
import type {
  EvaluationSet,
  GivenSettings,
  OpenedPart,
  SetOptions,
  SetPart,
} from '../../src/evaluation/evaluation-set.ts';
import { badLine, jsonLines } from '../../src/evaluation/labels/json-lines.ts';
import type { JudgedQuestion } from '../../src/evaluation/labels/judgement.ts';
import { endsWithPath } from '../../src/evaluation/labels/labelled-questions.ts';
import { packWithNpm } from '../../src/models/npm-pack.ts';
import { tarEntries } from '../../src/models/tar-entries.ts';
import { containedPath, isHostileUri } from '../../src/platform/contained-path.ts';
import { openProject } from '../../src/project/open-project.ts';
import { keepMade, placeOf, writeFolder } from './work-folder.ts';

/** No package of source code is larger; an archive that claims to be is not unpacked. */
const maxBytes = 2 ** 30;

const packageExample =
  '{"_id": "q1", "package": "express@5.0.0", "root": "lib", "text": "request helpers", "relevant": [{"path": "lib/request.js"}]}';
const packageName = /^((?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*)@(\d[0-9A-Za-z.+-]*)$/;

const rowSchema = z.looseObject({
  _id: z.union([z.string(), z.number()]).transform(String),
  package: z.string().regex(packageName, 'must be the name of an npm package with @ and its version'),
  root: z.string().default('.'),
  category: z.union([z.string(), z.number()]).transform(String).optional(),
  text: z.string().refine((value) => value.trim() !== '', 'must not be empty'),
  relevant: z
    .array(z.looseObject({ path: z.string().min(1), grade: z.number().min(0).default(1) }))
    .default([]),
});

/** Reads questions about npm packages, which are fetched as the user's npm is set up; one part for each folder. */
export async function readPackageQuestions(folder: string, options: SetOptions): Promise<EvaluationSet> {
  const file = join(folder, 'queries.jsonl');
  const groups = new Map<string, { name: string; root: string; questions: JudgedQuestion[] }>();
  let unjudged = 0;
  let asked = 0;
  const seen = new Set<string>();
  for await (const { line, row } of jsonLines(file, rowSchema, packageExample, options.signal)) {
    if (seen.has(row._id))
      throw badLine(file, line, `the _id ${JSON.stringify(row._id)} stands twice`, packageExample);
    seen.add(row._id);
    if (options.limit !== undefined && asked >= options.limit) break;
    const root = posix.normalize(row.root.replaceAll('\\', '/')).replace(/\/$/, '');
    if (root !== '.' && isHostileUri(root))
      throw badLine(file, line, `the root "${row.root}" leads out of the package`, packageExample);
    const labels = row.relevant.filter(({ grade }) => grade > 0).map(({ path, grade }) => ({ path, grade }));
    if (labels.length === 0) {
      unjudged += 1;
      continue;
    }
    asked += 1;
    const key = `${row.package} ${root}`;
    const group = groups.get(key) ?? { name: row.package, root, questions: [] };
    groups.set(key, group);
    const category = row.category !== undefined && { category: row.category };
    group.questions.push({ id: row._id, text: row.text, labels, ...category });
  }
  return {
    name: basename(folder),
    unjudged,
    warnings: [],
    parts: [...groups.values()].map((group) => partOf(group, options.cacheFolder)),
  };
}

function partOf(
  { name, root, questions }: { name: string; root: string; questions: readonly JudgedQuestion[] },
  cacheFolder: string,
): SetPart {
  const fullPath = (uri: string) => posix.join(root, uri);
  return {
    questions,
    async open(settings: GivenSettings, signal?: AbortSignal): Promise<OpenedPart> {
      // The name may hold a slash, and the settings decide which copy it is.
      const place = await placeOf(cacheFolder, name.replace('/', '+'), settings);
      await keepMade(place, name, () => fetchPackage(name, place, signal), signal);
      const inside = await containedPath(join(place, 'files'), `package/${root}`);
      const project = await openProject(inside, { settings });
      return {
        project,
        // A label may also be written from above the package's folder.
        isMeant: (path, uri) => endsWithPath(fullPath(uri), path) || endsWithPath(path, fullPath(uri)),
        nameOf: fullPath,
        close: () => project.close(),
      };
    },
  };
}

async function fetchPackage(
  specification: string,
  place: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [, name = '', version = ''] = packageName.exec(specification) ?? [];
  const download = await mkdtemp(join(place, 'download-'));
  try {
    const archive = await packWithNpm({ package: name, version }, download, signal).catch((thrown) => {
      if (!(thrown instanceof QuarryError) || thrown.code !== 'provider-unreachable') throw thrown;
      const remedy = 'Check the network and the registry in npm\u2019s configuration, then run it again.';
      throw new QuarryError(thrown.code, thrown.message, remedy, { cause: thrown });
    });
    await mkdir(join(place, 'files'), { recursive: true });
    await writeFolder(join(place, 'files'), filesOf(archive, specification));
  } finally {
    await rm(download, { recursive: true, force: true });
  }
}

/** Plain files of a package's archive; links and paths that lead elsewhere are left out. */
async function* filesOf(archive: string, name: string) {
  const gunzip = createGunzip();
  const stream = pipeline(createReadStream(archive), gunzip, () => undefined);
  let bytes = 0;
  for await (const entry of tarEntries(stream)) {
    if (!entry.isFile || isHostileUri(entry.path)) continue;
    bytes += entry.bytes;
    if (bytes > maxBytes) throw tooLarge(name);
    const parts: Uint8Array[] = [];
    for await (const part of entry.content()) parts.push(Uint8Array.from(part));
    yield { path: posix.normalize(entry.path), content: Buffer.concat(parts) };
  }
}

function tooLarge(name: string): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `The package ${name} is larger than ${maxBytes / 2 ** 20} MiB.`,
    'Ask about a smaller package.',
  );
}
