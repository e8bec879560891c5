import type { NativePackage } from '../native-packages.ts';

/** Something of others, or a model, that a release carries. */
export interface Carried {
  readonly name: string;
  readonly version: string;
  /** Its name in the list of SPDX. */
  readonly licence: string;
  readonly kind: 'library' | 'model' | 'runtime';
  /** Where it is: as a package of its own, inside of the built files, as native code, as a model, or in the bundle alone. */
  readonly part: 'package' | 'program' | 'native' | 'models' | 'bundle';
  /** Its hash as published (packages) or of its file (models), in hexadecimal digits. */
  readonly hash: { readonly algorithm: 'sha256' | 'sha512'; readonly content: string };
}

/** An entry of `package-lock.json`. */
export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly inBundle?: boolean;
}

type Lock = { readonly packages: Readonly<Record<string, LockedPackage>> };

/** The packages that travel beside the program in its own `node_modules`. */
export function packagesBeside({ packages }: Lock): Carried[] {
  const bundled = Object.entries(packages).filter(([, { inBundle }]) => inBundle);
  return bundled.map(([path, entry]) =>
    fromLock(path.slice(path.lastIndexOf('node_modules/') + 13), entry, 'package'),
  );
}

/** The packages of which the built files hold something, as the build has listed them. */
export function packagesInside(
  { packages }: Lock,
  inBuild: readonly { readonly name: string; readonly version: string }[],
): Carried[] {
  return inBuild.map(({ name, version }) => {
    const entry = Object.entries(packages).find(
      ([path, locked]) => path.endsWith(`node_modules/${name}`) && locked.version === version,
    )?.[1];
    if (!entry) throw new Error(`The build holds ${name}@${version}, which package-lock.json does not have.`);
    return fromLock(name, entry, 'program');
  });
}

/** A package that was fetched for one platform. */
export function fetchedPackage(
  { package: name, version, licence, integrity }: NativePackage,
  part: 'native' | 'bundle',
): Carried {
  const kind = part === 'bundle' ? 'runtime' : 'library';
  return { name, version, licence, kind, part, hash: hashOfIntegrity(name, integrity) };
}

function fromLock(
  name: string,
  { version, license, integrity }: LockedPackage,
  part: Carried['part'],
): Carried {
  if (!version || !license) throw new Error(`package-lock.json has no version or licence of ${name}.`);
  return { name, version, licence: license, kind: 'library', part, hash: hashOfIntegrity(name, integrity) };
}

function hashOfIntegrity(name: string, integrity: string | undefined): Carried['hash'] {
  const [, digest] = /^sha512-(\S+)$/.exec(integrity ?? '') ?? [];
  if (!digest) throw new Error(`There is no SHA-512 of ${name}.`);
  return { algorithm: 'sha512', content: Buffer.from(digest, 'base64').toString('hex') };
}
