import { packageAddress } from './bill-of-materials.ts';
import type { Carried } from './contents.ts';

/** What a release was made from, and with what. */
export interface Origin {
  readonly version: string;
  readonly commit: string;
  /** Whether the working tree had changes that are in no commit. */
  readonly isModified: boolean;
  /** The versions of Node.js and npm that made it. */
  readonly tools: Readonly<Record<string, string>>;
}

/** Each file with its SHA-256, and all that went into them: a statement of in-toto with the provenance of SLSA 1.0. */
export function provenance(
  origin: Origin,
  files: readonly { readonly name: string; readonly sha256: string }[],
  carried: readonly Carried[],
) {
  const commit = { uri: `git+commit:${origin.commit}`, digest: { gitCommit: origin.commit } };
  const materials = new Map(
    carried.map((each) => [
      packageAddress(each),
      { uri: packageAddress(each), digest: { [each.hash.algorithm]: each.hash.content } },
    ]),
  );
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'quarry:release/1',
        externalParameters: { version: origin.version },
        internalParameters: { modified: origin.isModified },
        resolvedDependencies: [commit, ...materials.values()],
      },
      runDetails: { builder: { id: 'quarry:scripts/release', version: origin.tools } },
    },
  };
}
