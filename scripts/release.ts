// `npm run release` makes everything of the version in package.json below release/, tries to publish it, and changes
// nothing else. `npm run release -- --set 0.3.0` begins a release: version and dated changelog, to be looked at and committed.
// `npm run release -- --publish` makes it, publishes it and tags the commit. How: docs/maintaining.md.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dateUnreleased, releasesIn } from './release/changelog.ts';
import { git, makeRelease, releasePlatforms } from './release/make-release.ts';
import { npm, publish } from './release/publish.ts';
import { compareVersions, obstacles } from './release/readiness.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const text = (name: string) => readFile(join(root, name), 'utf8');

try {
  const values = read(process.argv.slice(2));
  if (values.set) await beginRelease(values.set, values.date);
  else await release(values.platform ?? releasePlatforms, values.publish);
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

/** The flags; whatever else is written ends with what there is. */
function read(args: string[]) {
  const options = {
    set: { type: 'string' },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    platform: { type: 'string', multiple: true },
    publish: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ args, options }).values;
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(`${why}\nThere are: --set VERSION, --date YYYY-MM-DD, --platform NAME …, --publish`);
  }
}

/** Writes a version and its day into the files that name it. */
async function beginRelease(version: string, date: string): Promise<void> {
  const changelog = await text('CHANGELOG.md');
  const previous = releasesIn(changelog)[0]?.version;
  if (previous && compareVersions(version, previous) <= 0)
    throw new Error(`${version} does not follow ${previous}.`);
  const dated = dateUnreleased(changelog, version, date);
  const { code, output } = await npm(['version', version, '--no-git-tag-version', '--ignore-scripts'], root);
  if (code !== 0) throw new Error(output);
  await writeFile(join(root, 'CHANGELOG.md'), dated);
  console.log(
    `${version} of ${date} is in package.json, package-lock.json and CHANGELOG.md. Look at it, and commit.`,
  );
}

async function release(platforms: readonly string[], isReal: boolean): Promise<void> {
  const [manifest, lock] = [
    JSON.parse(await text('package.json')),
    JSON.parse(await text('package-lock.json')),
  ];
  const found = obstacles({ manifest, lock, changelog: await text('CHANGELOG.md') });
  if (isReal && (await git(root, 'status', '--porcelain')).trim())
    found.push('The working tree has changes that are in no commit.');
  if (isReal && platforms !== releasePlatforms) found.push('Only all platforms together are published.');
  if (found.length > 0) throw new Error(`${manifest.version} cannot be released.\n- ${found.join('\n- ')}`);
  const { folder, tarball, files } = await makeRelease(root, platforms, (line) =>
    console.log(`release: ${line}`),
  );
  console.log('release: tries to publish');
  // Only of a folder npm says what it would correct in package.json; only the tarball is what would be sent.
  for (const source of ['.', tarball]) {
    const warnings = await publish(source, root, false);
    if (warnings.length > 0)
      throw new Error(`npm publish --dry-run of ${source} warns:\n${warnings.join('\n')}`);
  }
  for (const { name, bytes } of files) console.log(`${(bytes / 1e6).toFixed(2).padStart(8)} MB  ${name}`);
  if (isReal) {
    // In this order, a publication that fails can be tried again.
    await publish(tarball, root, true);
    await git(root, 'tag', `v${manifest.version}`);
  }
  console.log(`${folder}: ${isReal ? 'published' : 'nothing was published (--publish does)'}.`);
}
