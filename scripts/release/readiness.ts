import { releasesIn, unreleasedIn } from './changelog.ts';

/** What a release is decided by. */
export interface Sources {
  /** `package.json`. */
  readonly manifest: { readonly version: string };
  /** `package-lock.json`. */
  readonly lock: {
    readonly version: string;
    readonly packages: Readonly<Record<string, { readonly version?: string }>>;
  };
  readonly changelog: string;
}

/** Why these sources cannot be released as they are; empty where they can. */
export function obstacles({ manifest: { version }, lock, changelog }: Sources): string[] {
  const found: string[] = [];
  if (!/^\d+\.\d+\.\d+$/.test(version)) found.push(`${version} is no version of three numbers.`);
  if (lock.version !== version || lock.packages['']?.version !== version)
    found.push(`package-lock.json has another version than package.json (${version}).`);
  const [newest, previous] = releasesIn(changelog);
  if (unreleasedIn(changelog)) found.push('The changelog has lines under "## Unreleased".');
  if (newest?.version !== version)
    found.push(`The newest version of the changelog is ${newest?.version ?? 'none'}, not ${version}.`);
  else if (!newest.text) found.push(`The changelog says nothing of ${version}.`);
  else if (previous && isMoreThanPatch(previous.version, version) && !/^### Upgrading/m.test(newest.text))
    found.push(`The changelog has no "### Upgrading from ${previous.version}" for ${version}.`);
  if (newest && previous && compareVersions(newest.version, previous.version) <= 0)
    found.push(`${newest.version} does not follow ${previous.version}.`);
  return found;
}

/** Below zero where the first version is the older one. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number));
  const differences = [0, 1, 2].map((part) => (left?.[part] ?? 0) - (right?.[part] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

function isMoreThanPatch(previous: string, next: string): boolean {
  return previous.split('.').slice(0, 2).join('.') !== next.split('.').slice(0, 2).join('.');
}
