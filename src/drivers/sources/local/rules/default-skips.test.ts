import { describe, expect, test } from 'vitest';
import type { SkipReason } from '../../../../core/events.ts';
import { scratchTree, walk } from '../scratch-tree.fixture.ts';
import { defaultSkips } from './default-skips.ts';

const expectations: Partial<Record<SkipReason, readonly string[]>> = {
  'secret-file': [
    ...[
      '.env',
      '.env.gz',
      '.env.local',
      'prod.env',
      'id_rsa',
      'server.pem',
      'store.p12',
      'tls.key',
      '.npmrc',
      '.netrc',
    ],
    ...['deep/.aws/credentials', '.docker/config.json', 'main.tfstate'],
  ],
  dependencies: ['node_modules/', 'py/.venv/', 'go/vendor/', 'site-packages/'],
  'build-output': [
    '.next/',
    'rust/target/',
    'js/dist/',
    'js/coverage/',
    'x/__pycache__/',
    'pkg.egg-info/',
    'net/obj/',
  ],
  'lock-file': ['package-lock.json', 'Cargo.lock', 'go.sum', 'uv.lock', 'sub/yarn.lock'],
  generated: [
    'site.css.gz',
    'vault/.obsidian/',
    'graph/logseq/bak/',
    'logo.svg.gz',
    'app.min.js',
    'app.js.map',
    'types.d.ts.map',
    'api.pb.go',
    'api_pb2.py',
    'logo.svg',
  ],
  picture: ['a.PNG', 'b.jpeg', 'c.tiff', 'd.webp'],
  binary: [
    'a.gif',
    'b.zip',
    'b.tar.gz',
    'dump.sqlite.gz',
    'c.woff2',
    'd.mp3',
    'e.mp4',
    'f.exe',
    'g.onnx',
    'h.gguf',
    'i.sqlite',
    '.DS_Store',
  ],
};
const markers = ['go/go.mod', 'rust/Cargo.toml', 'js/package.json', 'net/App.csproj'];
const wanted = [
  ...[
    'app.log.1.gz',
    'notes.txt.gz',
    'a.pdf',
    'b.docx',
    'c.html',
    'd.eml',
    'e.mbox',
    'f.ipynb',
    'g.log',
    'h.json',
    'i.ts',
    'j.csv',
    'id_rsa.pub',
  ],
  ...['.env.example', '.env.sample', '.env.template', 'environment.ts', 'vendor/list.md', 'target/goals.md'],
  ...['dist/notes.md', 'build/script.sh', 'out/x.md', 'coverage/plan.md', 'js/build/webpack.js', 'bin/run'],
];

describe('default skips', () => {
  test.each(Object.entries(expectations))('leave out %s paths and say so', async (reason, paths) => {
    const files = [...markers, ...paths.map((path) => (path.endsWith('/') ? `${path}inside` : path))];
    const folder = scratchTree(Object.fromEntries(files.map((path) => [path, 'text'])));
    const walked = await walk(folder);
    expect(walked.files.sort()).toEqual([...markers].sort());
    expect(walked.skipped.map((skip) => skip.uri).sort()).toEqual([...paths].sort());
    expect(new Set(walked.skipped.map((skip) => skip.reason))).toEqual(new Set([reason]));
  });

  test('keep documents, templates, and folders whose name alone proves nothing', async () => {
    const folder = scratchTree(
      Object.fromEntries([...wanted, 'js/package.json'].map((path) => [path, 'text'])),
    );
    const { files, reports } = await walk(folder);
    expect(reports).toEqual([]);
    expect(files.sort()).toEqual([...wanted, 'js/package.json'].sort());
  });

  test('show the pattern and what it stands for', async () => {
    const folder = scratchTree({ 'node_modules/x/y.js': 'x', 'a.png': 'x' });
    expect((await walk(folder)).reports).toEqual([
      'a.png picture default *.png (image; to have its text read: quarry model add pp-ocrv4)',
      'node_modules/ dependencies default node_modules/ (installed packages)',
    ]);
  });

  test('are taken back by name in .quarryignore and in the settings', async () => {
    const folder = scratchTree({
      '.quarryignore': '!photo.png\n',
      'photo.png': 'x',
      'node_modules/a.js': 'x',
      '.env': 'x',
      '.env.test': 'x',
    });
    const { files } = await walk(folder, { exclude: ['!node_modules/', '!.env.test'] });
    expect(files).toEqual(['.env.test', '.quarryignore', 'photo.png', 'node_modules/a.js']);
  });

  test('of files with secrets are taken back by their names in the settings alone', async () => {
    const secrets = ['.env', '.ssh/config', 'a/.aws/config', 'a/b.pem', 'a/prod.env.gz', 'id_rsa'];
    const folder = scratchTree({
      ...Object.fromEntries(secrets.map((path) => [path, 'x'])),
      '.quarryignore': `${secrets.map((path) => `!${path}`).join('\n')}\n!*.pem\n!.ssh/\n`,
      'a/.quarryignore': '!b.pem\n![bp]*\n',
    });
    const rules = ['.quarryignore', 'a/.quarryignore'];
    const wide = [
      '!.e*',
      '!a/**',
      '!*.p?m',
      '!*.[p]em',
      '!*_rsa',
      '!.s[s]h/',
      '!.ssh/**',
      '!*nv*',
      '!.aw*/config',
    ];
    for (const exclude of [[], ...wide.map((pattern) => [pattern]), wide])
      expect((await walk(folder, { exclude })).files).toEqual(rules);
    expect((await walk(folder, { include: [...secrets, '**'] })).files).toEqual(rules);
    const { files } = await walk(folder, { exclude: ['!.env', '!a/.aws/config', '!*.pem'] });
    expect(files.sort()).toEqual(['.env', 'a/.aws/config', 'a/b.pem', ...rules].sort());
  });

  test('are not taken back by wildcards alone, nor by .gitignore', async () => {
    const folder = scratchTree({
      '.gitignore': '!.env\n',
      '.quarryignore': '*\n!*/\n!*.md\n',
      'node_modules/a.md': 'x',
      'docs/b.md': 'x',
      '.env': 'x',
    });
    expect((await walk(folder)).files).toEqual(['docs/b.md']);
    expect((await walk(folder, { exclude: ['!**'] })).files).not.toContain('.env');
  });

  test('never give up version control or the state folder', async () => {
    const folder = scratchTree({
      '.git/config': 'x',
      '.hg/x': 'x',
      '.svn/x': 'x',
      '.jj/x': 'x',
      '.quarry/index.db': 'x',
      'a/.git': 'x',
    });
    const exclude = ['!.git', '!.quarry', '!.hg', '!.svn', '!.jj'];
    const { files, reports } = await walk(folder, { exclude, defaultSkips: false });
    expect(files).toEqual([]);
    expect(reports).toContain(".quarry/ own-files Quarry's own state");
    expect(reports).toContain(".git/ version-control git's own data");
    expect(reports).toContain("a/.git version-control git's own data");
  });

  test('name empty files, and oversized ones with the limit alone, which does not change while they grow', async () => {
    const folder = scratchTree({ empty: '', exact: '12345', large: '123456' });
    const { files, reports } = await walk(folder, { maxFileBytes: () => 5 });
    expect(files).toEqual(['exact']);
    expect(reports).toEqual(['empty empty no bytes', 'large too-large larger than the limit of 5 bytes']);
  });

  test('hold no pattern twice in one group and write their exceptions in lower case', () => {
    for (const skip of defaultSkips) {
      expect(new Set(skip.patterns).size).toBe(skip.patterns.length);
      expect(skip.except?.map((name) => name.toLowerCase()) ?? []).toEqual(skip.except ?? []);
    }
  });
});
