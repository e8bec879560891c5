import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { missingPrograms, plainArm } from './arms.ts';
import { codeSources, repository } from './code-bases.ts';
import { prepare } from './prepare.ts';
import { readLog } from './run-folder.ts';

const execute = promisify(execFile);

test.skipIf(process.platform === 'win32')(
  'a prepared run answers its agent from the code as it was, is counted, and is not prepared again',
  async ({ skip }) => {
    const source = codeSources.quarry;
    const commit = source.kind === 'commit' ? source.commit : '';
    const hasCommit = await execute('git', ['cat-file', '-e', commit], { cwd: repository }).then(
      () => true,
      () => false,
    );
    // An export or a shallow clone has no history.
    if (!hasCommit) skip('The history has no such commit.');
    if (missingPrograms().length > 0) skip(`Not installed: ${missingPrograms().join(', ')}`);
    const work = await temporaryFolder();
    const options = { work, round: 1, arms: [plainArm], codes: ['quarry'] as const, say: () => undefined };
    const [prompt = ''] = await prepare(options);
    expect(prompt).toBe(join(work, 'rounds', '1', 'plain-quarry', 'prompt.md'));
    const program = join(dirname(prompt), 'do');
    expect(await readFile(prompt, 'utf8')).toContain(program);
    // Neither the questions nor anything of a build or an index.
    expect((await execute(program, ['ls bench | head -1; find . -name agents.test.ts'])).stdout).toBe(
      'answers\n./src/engine/agents.test.ts\n',
    );
    expect(await readdir(join(work, 'code', 'plain', 'quarry'))).not.toContain('models');
    const failed = await execute(program, ['ls', 'bench/agents']).catch((thrown: object) => thrown);
    expect(failed).toMatchObject({ code: 2 });
    expect(await readLog(dirname(prompt))).toMatchObject([
      { exit: 0 },
      { command: 'ls bench/agents', exit: 2 },
    ]);
    await expect(prepare(options)).rejects.toThrow('has begun');
    expect(await prepare({ ...options, round: 2 })).toHaveLength(1);
  },
);
