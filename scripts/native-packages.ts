import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { tarEntries } from '../src/models/tar-entries.ts';

/** The system and processor that a package is made for, in Node.js's words. */
export interface Platform {
  readonly os: string;
  readonly cpu: string;
}

/** A package with compiled code that travels inside this one, for one platform. */
export interface NativePackage {
  readonly package: string;
  readonly version: string;
  /** Its name in the list of SPDX: not every package writes it so. */
  readonly licence: string;
  /** What npm calls its integrity: the hash of the published archive. */
  readonly integrity: string;
  /** The files that every platform needs. */
  readonly files: RegExp;
  /** The files that this platform needs; a platform without any is not supported by the package. */
  binaries(platform: Platform): RegExp;
}

export const nativePackages: readonly NativePackage[] = [
  {
    package: 'onnxruntime-node',
    version: '1.30.0',
    licence: 'MIT',
    integrity:
      'sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==',
    files: /^(package\.json|README\.md|dist\/[a-z]+\.js)$/,
    // On macOS the library is there twice, and the binding asks for the one with the short name. On Windows more than half
    // is for graphics processors, and is loaded only when one of them is asked for.
    binaries: ({ os, cpu }) =>
      new RegExp(
        `^bin/napi-v6/${os}/${cpu}/(?!.*\\.\\d+\\.\\d+\\.dylib$|(?:DirectML|dxcompiler|dxil)\\.dll$)`,
      ),
  },
  {
    package: 'usearch',
    version: '2.26.2',
    licence: 'Apache-2.0',
    integrity:
      'sha512-jz4MKg09LFn6CP/fh9MwY7NV3qQUcXrQIt92LV7CMx44AEnGP1QenhHReua3ETqzgoIYcISJ+SsDoX0DOpFh9Q==',
    files: /^(package\.json|LICENSE|javascript\/dist\/cjs\/[a-z]+\.js(on)?)$/,
    binaries: ({ os, cpu }) => new RegExp(`^prebuilds/${os}-([a-z0-9]+\\+)*${cpu}(\\+[a-z0-9]+)*/`),
  },
  // The decoder of WebP, in WebAssembly: the same for every platform.
  {
    package: '@cwasm/webp',
    version: '0.1.5',
    licence: 'MIT',
    integrity:
      'sha512-ceIZQkyxK+s7mmItNcWqqHdOBiJAxYxTnrnPNgUNjldB1M9j+Bp/3eVIVwC8rUFyN/zoFwuT0331pyY3ackaNA==',
    files: /^(package\.json|readme\.md)$/,
    binaries: () => /^webp\.wasm$/,
  },
  // The reader of PDF with its decoders of pictures, in JavaScript and WebAssembly. Whole it has 41 MB.
  {
    package: 'pdfjs-dist',
    version: '6.1.200',
    licence: 'Apache-2.0',
    integrity:
      'sha512-o8MolyzirkkLrcdsae/HEOiIcXWI7DS5zGpvqW8xTC2YUsW30rltFw2bDGvw/fskUdEMrQm2br68jzDS5BH2vw==',
    files: /^(package\.json|LICENSE|wasm\/LICENSE_(?!.*QCMS)\w+)$/,
    binaries: () => /^(legacy\/build\/pdf(\.worker)?\.min\.mjs|wasm\/(jbig2|openjpeg)\.wasm)$/,
  },
];

/** What the folder of a platform says of the packages in it. */
export function nativeContents(taken: readonly NativePackage[]): string {
  const named = taken.map(({ package: name, version, integrity }) => ({ name, version, integrity }));
  return `${JSON.stringify(named, null, 2)}\n`;
}

/** Fills the folder of a platform with what `packages` have for it; returns those that have something. */
export async function takeNativePackages(
  platform: Platform,
  folder: string,
  archiveOf: (wanted: NativePackage) => Promise<string>,
  packages: readonly NativePackage[] = nativePackages,
): Promise<NativePackage[]> {
  const taken: NativePackage[] = [];
  for (const wanted of packages)
    if (await takeNativePackage(wanted, await archiveOf(wanted), platform, join(folder, wanted.package)))
      taken.push(wanted);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'contents.json'), nativeContents(taken));
  return taken;
}

/**
 * Takes what the platform needs out of a package's archive into `folder`; false, and nothing is written, where the
 * package has no binary for it. Rejects an archive that is not the published one before anything is written.
 */
export async function takeNativePackage(
  wanted: NativePackage,
  archive: string,
  platform: Platform,
  folder: string,
): Promise<boolean> {
  await refuseOtherArchive(wanted, archive);
  const binaries = wanted.binaries(platform);
  const taken = new Map<string, Buffer>();
  for await (const entry of tarEntries(createReadStream(archive).pipe(createGunzip()))) {
    const path = entry.path.slice(entry.path.indexOf('/') + 1);
    if (!entry.isFile || !(wanted.files.test(path) || binaries.test(path))) continue;
    taken.set(path, await buffer(entry.content()));
  }
  if (![...taken.keys()].some((path) => binaries.test(path))) return false;
  for (const [path, content] of taken) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return true;
}

async function refuseOtherArchive(
  { package: name, integrity }: NativePackage,
  archive: string,
): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash);
  const found = `sha512-${hash.digest('base64')}`;
  if (found !== integrity)
    throw new Error(`The archive of ${name} has the integrity ${found}, not ${integrity}.`);
}
