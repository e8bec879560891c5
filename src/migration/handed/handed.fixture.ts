import { generateKeyPairSync, sign } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import { sha256 } from '../../core/identity.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { resultOf } from '../../platform/streams.ts';
import { openProject } from '../../project/open-project.ts';
import { isSignedBy } from '../../user/maker-key.ts';
import { exportIndex } from './export-index.ts';
import type { HandedHeader } from './handed-file.ts';
import { importIndex } from './import-index.ts';

/** A small project. */
export const files = {
  'src/heron.js': '/** Feeds the heron. */\nexport function feedHeron(fish) {\n  return fish;\n}\n',
  'docs/pond.md': '# Pond\n\nThe heron stands in the pond.\n\nKey: AKIAIOSFODNN7EXAMPLA\n',
  'inbox.eml': 'From: ada@example.com\nSubject: Fish\n\nBring fish for the heron.\n',
  'private/diary.md': '# Diary\n\nThe heron was sad.\n',
};
const plain = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'cache.max_bytes': 0 };
const open: Project[] = [];
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
/** Whose signature the files have. */
export const maker = {
  publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  sign: (bytes: Uint8Array) => sign(null, bytes, privateKey).toString('base64'),
};

/** A project with these files; `closeAll` closes it. */
export async function projectOf(
  tree: Record<string, string>,
  settings: Record<string, unknown> = {},
): Promise<Project> {
  const project = await openProject(await temporaryFolder(tree), { settings: { ...plain, ...settings } });
  open.push(project);
  return project;
}

/** Indexes, and says how many files were read. */
export async function indexed(project: Project): Promise<number> {
  let read = 0;
  for await (const event of project.index())
    if (event.type === 'index-end') read = event.summary.documents.indexed;
  return read;
}

/** Takes a file over. */
export async function importInto(
  project: Project,
  path: string,
  admit: (header: HandedHeader) => Promise<void> = async () => {},
) {
  const { folder, settings } = project;
  const { fingerprint: space } = await project.embedder();
  const end = { settings, addressLayer: 'user' } as const;
  const parts = { folder, environment: processEnvironment, end, space, isSigned: isSignedBy, admit };
  return resultOf(importIndex(parts, path, undefined));
}

/** Writes the index of a project to a file. */
export async function exportOf(project: Project, file: string, all = false) {
  return resultOf(exportIndex(await project.store(), project.settings, maker, { file, all }));
}

/** Closes the projects that were opened. */
export async function closeAll(): Promise<void> {
  for (const project of open.splice(0)) await project.close();
}

/** Where what is packed begins. */
export function headEnd(bytes: Buffer): number {
  let at = -1;
  for (let line = 0; line < 3; line += 1) at = bytes.indexOf(10, at + 1);
  return at + 1;
}

/** A file of the maker with another head or other lines, signed again. */
export async function forged(
  from: string,
  change: (header: HandedHeader, lines: string[]) => Buffer | undefined,
): Promise<string> {
  const bytes = await readFile(from);
  const start = headEnd(bytes);
  const [mark = '', said = ''] = bytes.subarray(0, start).toString().split('\n');
  const header = JSON.parse(said) as HandedHeader;
  const lines = gunzipSync(bytes.subarray(start)).toString().trimEnd().split('\n');
  const changed = { ...header };
  const own = change(changed, lines);
  const text = `${lines.join('\n')}\n`;
  const packed = own ?? gzipSync(text);
  const whole = {
    ...changed,
    bytes: packed.length,
    sha256: sha256(packed),
    ...(own ? {} : { unpacked: Buffer.byteLength(text) }),
  };
  const head = `${mark}\n${JSON.stringify(whole)}\n`;
  const path = join(dirname(from), `${Math.random()}.quarry`);
  await writeFile(path, Buffer.concat([Buffer.from(`${head}${maker.sign(Buffer.from(head))}\n`), packed]));
  return path;
}
