import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { mayImport, runsInPage } from './import-table.ts';
import { packagesLoadedByEach } from './loaded-modules.ts';

/** Packages light enough to be loaded at any time. */
const lightPackages = ['smol-toml', 'zod'];

const maxFileLines = 400;
const emptyNames = [
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'types',
  'base',
  'manager',
  'misc',
  'shared',
];

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');

function typescriptFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

const files = typescriptFiles('src');
const productFiles = files.filter((file) => !file.endsWith('.test.ts') && !file.endsWith('.fixture.ts'));
const shown = (file: string) => relative(root, file).split(sep).join(posix.sep);
const partOf = (file: string) => relative(source, file).split(sep)[0] ?? '';

/** Relative imports of a file, static and dynamic, as absolute paths. */
function relativeImports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const pattern = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;
  return [...text.matchAll(pattern)].map((match) => join(dirname(file), match[1] ?? ''));
}

/** The files that import each other in a circle, types included; each circle sorted, and given once. */
function importCircles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map([...imports.keys()].map((file) => [file, filesReached(file, imports)]));
  const circles = [...reached]
    .filter(([file, targets]) => targets.has(file))
    .map(([file, targets]) => [...targets].filter((target) => reached.get(target)?.has(file)).sort());
  return [...new Map(circles.map((circle) => [circle[0], circle])).values()];
}

function filesReached(start: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const pending = [...(imports.get(start) ?? [])];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    pending.push(...(imports.get(file) ?? []));
  }
  return reached;
}

describe('the import table', () => {
  test('covers every folder of the source', () => {
    const folders = readdirSync(source).filter((name) => statSync(join(source, name)).isDirectory());
    expect(folders.sort()).toEqual(Object.keys(mayImport).sort());
  });

  test.each(Object.keys(mayImport))('holds for src/%s', (part) => {
    const allowed = new Set([part, ...(mayImport[part] ?? [])]);
    // A test may stand on any real part; only what ships is bound by the table.
    const broken = productFiles
      .filter((file) => partOf(file) === part)
      .flatMap((file) =>
        relativeImports(file)
          .filter((target) => !allowed.has(partOf(target)))
          .map((target) => `${shown(file)} imports ${shown(target)}`),
      );
    expect(broken).toEqual([]);
  });

  test('holds for the page: of other parts than these it imports types alone', () => {
    const broken = typescriptFiles('web').flatMap((file) => {
      const text = readFileSync(file, 'utf8').replaceAll(/import type [^;]+;/g, '');
      const targets = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) =>
        join(dirname(file), target),
      );
      return targets
        .filter((target) => target.startsWith(source) && !runsInPage.includes(partOf(target)))
        .map((target) => `${shown(file)} imports ${shown(target)}`);
    });
    expect(broken).toEqual([]);
  });

  test('keeps drivers apart: none imports another', () => {
    const manifest = join(source, 'drivers', 'manifest.ts');
    const entries = relativeImports(manifest).filter((target) => partOf(target) === 'drivers');
    const homeOf = (entry: string) =>
      dirname(dirname(entry)) === join(source, 'drivers') ? entry : dirname(entry);
    const broken = productFiles
      .filter((file) => partOf(file) === 'drivers' && file !== manifest)
      .flatMap((file) =>
        relativeImports(file)
          .filter((target) =>
            entries.some((entry) => {
              const home = homeOf(entry);
              const inside = (path: string) => path === home || path.startsWith(home + sep);
              return inside(target) && !inside(file);
            }),
          )
          .map((target) => `${shown(file)} imports ${shown(target)}`),
      );
    expect(entries.length).toBeGreaterThan(5);
    expect(broken).toEqual([]);
  });
});

/** Engines that a user installs for a store; only their drivers know them. */
const enginePackages = ['@lancedb/lancedb', 'pg'];
/** Packages that programs with our adapters use, beside what those import. */
const besideAdapters = ['@langchain/langgraph', 'ai'];

describe('frameworks', () => {
  const imported = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/from '(@langchain|@llamaindex|@ai-sdk|ai)(\/[^'/]+)?/g)].map(
      ([, scope = '', name = '']) => (scope === 'ai' ? scope : scope + name),
    );

  test('are imported by adapters alone, and named in package.json as what may be missing', () => {
    const users = productFiles.filter((file) => imported(file).length > 0);
    expect(users.map(shown).filter((file) => !file.startsWith('src/adapters/'))).toEqual([]);
    const { peerDependenciesMeta } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const named = [...new Set(users.flatMap(imported)), ...enginePackages, ...besideAdapters];
    expect(named.sort()).toEqual(Object.keys(peerDependenciesMeta).sort());
  });
});

describe('imports', () => {
  test('run in no circle, not even of types', () => {
    const shipped = [...productFiles, ...typescriptFiles('web')];
    const imports = new Map(shipped.map((file) => [shown(file), relativeImports(file).map(shown)]));
    expect(imports.size).toBeGreaterThan(100);
    expect(importCircles(imports)).toEqual([]);
  });

  test.each([
    ['two files that import each other', { one: ['two'], two: ['one'] }, [['one', 'two']]],
    ['a file that imports itself', { one: ['one'] }, [['one']]],
    [
      'a long circle, and none in what leads to it or away from it',
      { to: ['one'], one: ['two'], two: ['three', 'away'], three: ['one'], away: [] },
      [['one', 'three', 'two']],
    ],
    ['none in two ways to one file', { one: ['two', 'three'], two: ['end'], three: ['end'], end: [] }, []],
  ])('the check finds %s', (_, imports, circles) => {
    expect(importCircles(new Map(Object.entries(imports)))).toEqual(circles);
  });
});

describe('files', () => {
  const everyFile = ['src', 'test', 'bench', 'scripts', 'web', 'examples'].flatMap(typescriptFiles);

  test('are no longer than 400 lines', () => {
    const long = everyFile.filter((file) => readFileSync(file, 'utf8').split('\n').length - 1 > maxFileLines);
    expect(long.map(shown)).toEqual([]);
  });

  test('are named after what they do, in kebab-case', () => {
    const misnamed = everyFile.filter((file) => {
      const name = basename(file).replace(/(\.test|\.fixture|\.config)?\.tsx?$/, '');
      return emptyNames.includes(name) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);
    });
    expect(misnamed.map(shown)).toEqual([]);
  });

  test('hold no suite that no test file runs', () => {
    const suites = everyFile.filter((file) => file.endsWith('-suite.ts'));
    const run = new Set(everyFile.filter((file) => file.endsWith('.test.ts')).flatMap(relativeImports));
    expect(suites).not.toEqual([]);
    expect(suites.filter((file) => !run.has(file)).map(shown)).toEqual([]);
  });

  test('stand in folders that are named after what they do', () => {
    const folders = new Set(everyFile.map((file) => basename(dirname(file))));
    expect([...folders].filter((name) => emptyNames.includes(name))).toEqual([]);
  });

  test.each([
    ['process.env', /\bprocess\.env\b/, ['src/platform/environment.ts']],
    ['process.exit', /\bprocess\.exit\b\(/, []],
    // Silenced while a package loads that would warn of what it lacks.
    ['console', /\bconsole\./, ['src/drivers/extractors/pdf/pdf-parser.ts']],
    ['a plain Error', /\bnew Error\(/, []],
    ['a message cut within a character', /(?:"\$\{|JSON\.stringify\()[\w.]+\.slice\(0, \d+\)/, []],
    ['a call that can loop for ever', /\bmkdir(Sync)?\([^;]*recursive/, []],
  ])('use %s only where it belongs', (_, pattern, places) => {
    const users = productFiles.filter((file) => pattern.test(readFileSync(file, 'utf8'))).map(shown);
    expect(users).toEqual(places);
  });
});

describe('weight', () => {
  const manifest = join(source, 'drivers', 'manifest.ts');
  const drivers = relativeImports(manifest).filter((target) => partOf(target) === 'drivers');
  const library = join(source, 'index.ts');
  const tokenizer = join(source, 'models', 'tokenizers', 'bundled.ts');
  let packages: ReadonlyMap<string, readonly string[]>;
  beforeAll(async () => {
    packages = await packagesLoadedByEach([...drivers, library, tokenizer]);
  });

  test.each([...drivers, library].map(shown))('importing %s loads no heavy package', (file) => {
    const loaded = packages.get(join(root, file));
    expect(loaded?.filter((name) => !lightPackages.includes(name))).toEqual([]);
  });

  test('what counts tokens in each reading thread loads no package', () => {
    expect(packages.get(tokenizer)).toEqual([]);
  });
});

describe('the map of the source', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

  test.each(Object.keys(mayImport))('ARCHITECTURE.md says which question src/%s answers', (part) => {
    expect(text).toMatch(new RegExp(`^###? .*\`src/${part}/\`.*\\?`, 'm'));
  });

  test('every file and folder that ARCHITECTURE.md names is there', () => {
    const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    });
    const tracked = stdout.split('\n').map((file) => `/${file}`);
    const named = [...text.matchAll(/`([a-z][\w./-]*(?:\/|\.tsx?))`/g)].map(([, path = '']) => path);
    const isThere = (path: string) =>
      tracked.some((file) => (path.endsWith('/') ? file.includes(`/${path}`) : file.endsWith(`/${path}`)));
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((path) => !/NAME|SUBJECT/.test(path) && !isThere(path))).toEqual([]);
  });

  test('every relative link in the documents leads somewhere', () => {
    const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].map((name) =>
      join(root, name),
    );
    const more = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
      .map((entry) => join(entry.parentPath, entry.name));
    const broken = [...documents, ...more].flatMap((document) =>
      [...readFileSync(document, 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map((match) => join(dirname(document), match[1] ?? ''))
        .filter((target) => !statSync(target, { throwIfNoEntry: false }))
        .map((target) => `${shown(document)} links to ${shown(target)}`),
    );
    expect(broken).toEqual([]);
  });
});

test('no file names a host of packages: that is a matter of the machine it runs on', () => {
  const hosts = [
    'registry\\.(npmjs|yarnpkg)\\.(org|com)',
    '(deb|security|snapshot|ftp)\\.debian\\.org',
    '(archive|security|ports)\\.ubuntu\\.com',
    'deb\\.nodesource\\.com',
    'dl-cdn\\.alpinelinux\\.org',
    'pypi\\.(org|python)|pythonhosted\\.org',
    '(static|index)\\.crates\\.io|rubygems\\.org',
  ].join('|');
  const { stdout } = spawnSync('git', ['grep', '--untracked', '-nIE', hosts], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});
