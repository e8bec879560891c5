import { existsSync } from 'node:fs';
import { appendFile, cp, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { contentFile } from '../src/client/build.ts';
import { testedProgram } from './quarry-process.ts';
import { user } from './resident-user.ts';
import { temporaryFolder } from './temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = {
  'lake.md': '# Lake\n\nThe heron waits in the reeds until a fish swims by.\n',
  'quarry.toml': '[embedder]\ndriver = "hashing"\n',
};

/** The file of the same program at another place, and later. */
async function copiedProgram(): Promise<string> {
  const place = await temporaryFolder();
  const path = relative(root, testedProgram);
  for (const name of [path.split(sep)[0] ?? '', 'package.json'])
    await cp(join(root, name), join(place, name), { recursive: true });
  for (const name of ['node_modules', 'models', 'native'].filter((name) => existsSync(join(root, name))))
    await symlink(join(root, name), join(place, name));
  return join(place, path);
}

async function otherProgram(): Promise<string> {
  const program = await copiedProgram();
  await appendFile(program, '\n// Another build.\n');
  // What was built says itself what it holds.
  await rm(join(dirname(program), '..', '..', contentFile), { force: true });
  return program;
}

test('the same program at another place is the same build: its engine answers', async (context) => {
  const me = await user(context, files);
  const { child } = me.start(['serve', '--json'], {}, await copiedProgram());
  await context.expect.poll(() => existsSync(me.socket)).toBe(true);
  expect((await me.json(['status'])).engine).toMatchObject({ pid: child.pid });
});

test('a server that a person started stays, whichever build asks: the command works in its own process', async (context) => {
  const me = await user(context, files);
  const server = me.start(['serve', '--json'], {}, await otherProgram());
  await context.expect.poll(() => existsSync(me.socket)).toBe(true);
  const { code, stdout, stderr } = await me.run(['search', 'heron']);
  expect(stdout).toContain('lake.md');
  expect(stderr).toContain('is another build of Quarry, and stays. This command works in its own process.');
  expect(code).toBe(0);
  expect((await me.run(['ui', '--print'])).stderr).toContain('(version-mismatch)');
  // It answers as before.
  const own = me.start(['status', '--json'], {}, server.child.spawnargs[1]);
  expect(JSON.parse((await own.finished).stdout).engine).toMatchObject({ pid: server.child.pid });
});

test('an engine in the background gives way to a command of another build', async (context) => {
  const me = await user(context, files);
  const { finished } = me.start(['serve', '--resident', '--json'], {}, await otherProgram());
  await context.expect.poll(() => existsSync(me.socket)).toBe(true);
  const { stderr, stdout } = await me.run(['search', 'heron'], { CI: 'true' });
  expect(stdout).toContain('lake.md');
  expect(stderr).not.toContain('another build');
  expect((await finished).code).toBe(0);
});
