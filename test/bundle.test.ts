import { execFile } from 'node:child_process';
import { access, appendFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeBundle } from '../scripts/bundle/make-bundle.ts';
import { otherWays, packedInstall } from './packed-install.ts';
import { temporaryFolder, writeFiles } from './temporary-folder.ts';

const run = promisify(execFile);
const namespaces = ['--map-root-user', '--net', '--mount', '--pid', '--fork'];
const mayUnshare = await run('unshare', [...namespaces, 'ip', 'link', 'set', 'lo', 'up']).then(
  () => true,
  () => false,
);

/** The shared libraries that a program of this machine needs, by their paths. */
async function librariesOf(file: string): Promise<string[]> {
  const { stdout } = await run('ldd', [file]).catch(() => ({ stdout: '' }));
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].flatMap(([, path]) => path ?? []);
}

/** What a person does after the archive was unpacked on a machine without a network, and what came of it. */
const visit = `
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
const report = {};
const outcome = (work) => { try { return work(); } catch (error) { return String(error.stderr ?? error); } };
const run = (...words) => outcome(() => execFileSync('/opt/bin/quarry', words, { cwd: '/srv', encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }));
report.network = await fetch('http://192.0.2.1/').then(() => 'there', () => 'none');
report.version = run('--version').trim();
report.index = JSON.parse(run('index', '--json').trim().split('\\n').at(-1));
report.found = JSON.parse(run('search', 'how hot should the water be?', '--json')).hits[0].path;
const server = spawn('/opt/bin/quarry', ['serve', '--port', '8123'], { cwd: '/srv', stdio: 'ignore' });
for (let attempt = 0; attempt < 600; attempt += 1) {
  report.health = await fetch('http://127.0.0.1:8123/health').then((answer) => answer.status, () => 0);
  if (report.health === 200) break;
  await new Promise((resolve) => setTimeout(resolve, 100));
}
server.kill();
const mcp = spawn('/opt/bin/quarry', ['mcp'], { cwd: '/srv', stdio: ['pipe', 'pipe', 'ignore'] });
const answers = new Map();
let text = '';
const answered = new Promise((resolve) => {
  mcp.stdout.on('data', (data) => {
    text += data;
    const lines = text.split('\\n');
    text = lines.pop();
    for (const line of lines.filter(Boolean).map((line) => JSON.parse(line))) {
      answers.set(line.id, line.result ?? line.error);
      if (line.id === 2) resolve();
    }
  });
});
const send = (message) => mcp.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } } });
send({ method: 'notifications/initialized' });
send({ id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'how hot should the water be?' } } });
await answered;
report.server = answers.get(1).serverInfo.name;
report.tool = JSON.stringify(answers.get(2));
mcp.kill();
report.stopped = run('stop');
report.installed = existsSync('/opt/lib/quarry/' + report.version);
report.removed = outcome(() => execFileSync('/bin/sh', ['/bundle/install.sh', '--prefix', '/opt', '--remove'], { encoding: 'utf8' }));
report.left = existsSync('/opt/lib/quarry') || existsSync('/opt/bin/quarry');
report.index_stays = existsSync('/srv/.quarry');
console.log(JSON.stringify(report));
`;

describe.skipIf(process.platform !== 'linux' || !mayUnshare || !otherWays.includes('the bundle'))(
  'the bundle in a root of its own, without a network (needs unshare)',
  { timeout: 600_000 },
  () => {
    let root: string;
    let unpacked: string;
    let archive: Awaited<ReturnType<typeof makeBundle>>;
    beforeAll(async () => {
      const place = await temporaryFolder();
      const { tarball } = await packedInstall();
      archive = await makeBundle({ os: process.platform, cpu: process.arch }, place, tarball);
      root = await temporaryFolder();
      await run('tar', ['-C', root, '-xzf', archive.archive]);
      unpacked = join(root, 'bundle');
      const [name = ''] = await readdir(root);
      await run('mv', [join(root, name), unpacked]);
      // A shell and the C library are all there is: no Node.js, no npm, no tools.
      const shell = '/bin/sh';
      const natives = await readdir(join(unpacked, 'package/native'), { recursive: true });
      const binaries = natives.filter((path) => /\.(node|so[.\d]*)$/.test(path));
      const programs = [shell, join(unpacked, 'node/bin/node')];
      const libraries = [...programs, ...binaries.map((path) => join(unpacked, 'package/native', path))].map(
        librariesOf,
      );
      const needed = new Set((await Promise.all(libraries)).flat().filter((file) => !file.startsWith(root)));
      for (const file of [shell, ...needed]) {
        await mkdir(join(root, dirname(file)), { recursive: true });
        await cp(file, join(root, file), { dereference: true });
      }
      for (const folder of ['proc', 'dev', 'tmp', 'home', 'srv/notes', 'opt'])
        await mkdir(join(root, folder), { recursive: true });
      await writeFiles(root, {
        'visit.mjs': visit,
        'srv/notes/tea.md': '# Tea\n\nGreen tea is brewed at eighty degrees for two minutes.\n',
      });
    }, 600_000);

    const inside = (command: string) =>
      run('unshare', [
        ...namespaces,
        'sh',
        '-c',
        `ip link set lo up && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
         exec env -i HOME=/home PATH=/bin CI=true "$(command -v chroot || echo /usr/sbin/chroot)" "$0" /bin/sh -c "$1"`,
        root,
        command,
      ]);

    test('is small enough to carry, and names its own hash', async () => {
      // 110 MB are allowed: what grows is seen before it is too much.
      expect(archive.bytes).toBeLessThan(108e6);
      expect(await readFile(`${archive.archive}.sha256`, 'utf8')).toContain(archive.sha256);
      await expect(
        access(join(unpacked, 'package/native', `${process.platform}-${process.arch}`)),
      ).resolves.toBe(undefined);
    });

    test('installs, indexes, searches by meaning, serves, speaks MCP, and is removed', async () => {
      const { stdout } = await inside(
        '/bundle/install.sh --prefix /opt >/tmp/log && exec /opt/lib/quarry/*/node/bin/node /visit.mjs',
      );
      const { version } = JSON.parse(await readFile(join(unpacked, 'package/package.json'), 'utf8'));
      expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
        network: 'none',
        version,
        found: 'notes/tea.md',
        health: 200,
        server: 'quarry',
        tool: expect.stringContaining('tea.md'),
        installed: true,
        left: false,
        index_stays: true,
      });
    });

    test('replaces a previous version, and leaves only one', async () => {
      await writeFiles(root, { 'opt/lib/quarry/0.0.1/node/bin/node': 'previous' });
      await inside('/bundle/install.sh --prefix /opt');
      expect(await readdir(join(root, 'opt/lib/quarry'))).toHaveLength(1);
      expect((await inside('/opt/bin/quarry --version')).stdout).toMatch(/^\d+\.\d+\.\d+/);
    });

    test('refuses to install what is damaged or incomplete', async () => {
      const model = join(unpacked, 'package/models/all-MiniLM-L6-v2/tokenizer.json');
      const whole = await readFile(model);
      await appendFile(model, ' ');
      await expect(inside('/bundle/install.sh --prefix /opt')).rejects.toMatchObject({
        stderr: expect.stringContaining('tokenizer.json is damaged'),
      });
      await writeFile(model, whole);
    });
  },
);
