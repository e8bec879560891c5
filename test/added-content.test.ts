import { execFileSync, spawn } from 'node:child_process';
import { readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { openProject } from '../src/project/open-project.ts';
import { startQuarry } from './quarry-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const env = { QUARRY_EMBEDDER_DRIVER: 'hashing', QUARRY_RESOURCES_THREADS: '1' };

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder({ 'a.md': 'A page about slate.' });
});

async function run(words: readonly string[], piped = '') {
  const { child, finished } = startQuarry(folder, words, env);
  child.stdin?.end(piped);
  return finished;
}

const damageIndex = () => truncate(join(folder, '.quarry/index-1/index.sqlite'), 5000);

describe('content that was piped into quarry add', () => {
  test('outlives a damaged index and quarry clean --all, and goes when it is removed by name', async () => {
    const added = await run(['add', '--uri', 'talk.md', '--type', 'note'], 'Granite is cut with wire saws.');
    expect(added).toMatchObject({ code: 0, stdout: 'Added virtual:talk.md (30 bytes)\n' });
    await damageIndex();
    const repaired = await run(['repair']);
    expect(repaired.code).toBe(0);
    expect(repaired.stdout).toContain('1 document of added content restored');
    const cleaned = await run(['clean', '--all', '--yes']);
    expect(cleaned.stdout).toContain('Kept 1 document of added content');
    expect(await readdir(folder)).not.toContain('.quarry');
    expect((await run(['search', 'wire saws'])).stdout).toContain('virtual:talk.md');

    const unconfirmed = await run(['remove', 'talk.md']);
    expect(unconfirmed).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(await run(['remove', 'talk.md', '--yes'])).toMatchObject({ stdout: 'Removed virtual:talk.md\n' });
    expect(await run(['remove', 'talk.md', '--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No added content is named virtual:talk.md.'),
    });
    expect((await run(['search', 'wire saws'])).stdout).not.toContain('virtual:talk.md');
  });

  test('that is damaged together with the index is listed, and the exit code says so', async () => {
    await run(['add', '--uri', 'talk.md'], 'Granite is cut with wire saws.');
    const [name = ''] = (await readdir(join(folder, '.quarry-added'))).filter((each) =>
      each.endsWith('.txt'),
    );
    await truncate(join(folder, '.quarry-added', name), 225);
    await damageIndex();
    const { code, stdout } = await run(['repair']);
    expect(code).toBe(6);
    expect(stdout).toContain(`damaged in .quarry-added/${name}`);
    expect((await run(['verify'])).code).toBe(6);
    expect((await run(['status'])).stdout).toContain('failed virtual:talk.md: virtual:talk.md is damaged in');
  });
});

test('a process that is killed while it adds loses nothing that it has reported', async () => {
  const program = fileURLToPath(new URL('./add-content.ts', import.meta.url));
  for (let round = 0; round < 4; round += 1) {
    const child = spawn(process.execPath, [program, folder, String(round)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const reported: string[] = [];
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (data: Buffer) => {
        reported.push(...data.toString().trim().split('\n'));
        if (reported.length > 2 + round) child.kill('SIGKILL');
      });
      child.on('close', () => resolve());
    });
    // What cannot be made again alone is left.
    await rm(join(folder, '.quarry'), { recursive: true });
    const project = await openProject(folder, {
      settings: { 'embedder.driver': 'hashing', 'resources.threads': 1 },
    });
    for await (const event of project.index()) expect(event.type).not.toMatch(/failed/);
    expect(await (await project.store()).paths()).toEqual(expect.arrayContaining(reported));
    for await (const defect of project.verify()) expect.fail(defect.detail);
    await project.close();
  }
  for (const name of await readdir(join(folder, '.quarry-added')))
    if (name.endsWith('.txt'))
      expect(await readFile(join(folder, '.quarry-added', name), 'utf8')).toMatch(
        /^quarry added content 2, /,
      );
});

const canMount = process.platform === 'linux' && process.getuid?.() === 0;
test.skipIf(!canMount)(
  'content for which the disk has no room is refused, and what was added before stays (needs root, for a small disk)',
  async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]);
    try {
      const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1 };
      const project = await openProject(folder, { settings });
      const added: string[] = [];
      const fill = async () => {
        for (let number = 0; number < 100; number += 1) {
          const text = `Talk ${number} about slate.\n`.repeat(10_000);
          added.push((await project.add({ name: `talk-${number}.md`, text })).uri);
        }
      };
      await expect(fill()).rejects.toMatchObject({
        code: expect.stringMatching(/file-unreadable|machine-failed|store-unusable/),
        remedy: expect.stringMatching(/space/i),
      });
      expect(added.length).toBeGreaterThan(0);
      await project.close();
      execFileSync('mount', ['-o', 'remount,size=200m', folder]);
      const reopened = await openProject(folder, { settings });
      for await (const event of reopened.index()) expect(event.type).not.toMatch(/failed/);
      expect(await (await reopened.store()).paths()).toEqual(expect.arrayContaining(added));
      await reopened.close();
    } finally {
      execFileSync('umount', ['-l', folder]);
    }
  },
);
