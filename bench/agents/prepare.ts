import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { QuarryError } from '../../src/core/errors.ts';
import { type Arm, makePrograms, quoted } from './arms.ts';
import { type CodeName, codeSources, fetchArchive, unpack } from './code-bases.ts';
import { promptFor } from './prompt.ts';
import { placesMissing, type Question, readQuestions } from './questions.ts';
import { type Run, roundFolder, runFiles, textOf } from './run-folder.ts';

const execute = promisify(execFile);

/** What is to be made ready. */
export interface PrepareOptions {
  readonly work: string;
  readonly round: number;
  readonly arms: readonly Arm[];
  readonly codes: readonly CodeName[];
  readonly say: (line: string) => void;
}

/** Lays out the code, programs and prompts of a round; what an earlier round has made is used again. Returns the prompts. */
export async function prepare({ round, arms, codes, say, ...options }: PrepareOptions): Promise<string[]> {
  const work = resolve(options.work);
  const prompts: string[] = [];
  for (const code of codes)
    for (const arm of arms) await requireFresh(runFolder(work, { round, arm: arm.name, code }));
  for (const code of codes) {
    const questions = await readQuestions(code);
    const archive = await fetchArchive(code, join(work, 'archives'));
    for (const arm of arms) {
      const run: Run = {
        round,
        arm: arm.name,
        code,
        folder: join(work, 'code', arm.name, code),
        bin: join(work, 'bin', arm.name),
        home: join(work, 'home', arm.name),
      };
      await makePrograms(arm, run.bin);
      await mkdir(run.home, { recursive: true });
      await keepCode(run, archive, questions);
      if (arm.program !== undefined) await index(run, say);
      prompts.push(await layOut(work, run, arm, questions));
    }
  }
  return prompts;
}

/** Unpacks the code unless it was done before from the same source, and checks that every deciding place is in it. */
async function keepCode(
  { code, folder }: Run,
  archive: string,
  questions: readonly Question[],
): Promise<void> {
  const note = `${folder}.made-from`;
  const source = JSON.stringify(codeSources[code]);
  if ((await textOf(note)) !== source) {
    await unpack(code, archive, folder);
    await writeFile(note, source);
  }
  const missing = await placesMissing(questions, (path) => textOf(join(folder, path)));
  if (missing.length > 0)
    throw new QuarryError(
      'usage-invalid',
      `${code} lacks places that its questions name: ${missing.join(', ')}.`,
      'Correct the places in bench/agents/questions.',
    );
}

async function index({ folder, bin, home, arm, code }: Run, say: (line: string) => void): Promise<void> {
  say(`indexing ${code} for ${arm} …`);
  const started = performance.now();
  await execute(join(bin, 'quarry'), ['index', '--quiet'], {
    cwd: folder,
    env: { PATH: bin, HOME: home, LANG: 'C.UTF-8' },
    maxBuffer: 2 ** 26,
  });
  say(`indexed ${code} for ${arm} in ${Math.round((performance.now() - started) / 1000)} s`);
}

function runFolder(work: string, { round, arm, code }: Pick<Run, 'round' | 'arm' | 'code'>): string {
  return join(roundFolder(work, round), `${arm}-${code}`);
}

/** A run that has begun is not overwritten. */
async function requireFresh(folder: string): Promise<void> {
  if ((await textOf(join(folder, runFiles.log))) !== undefined)
    throw new QuarryError('usage-invalid', `The run in ${folder} has begun.`, 'Prepare the next --round.');
}

/** Writes what one agent gets. */
async function layOut(work: string, run: Run, arm: Arm, questions: readonly Question[]): Promise<string> {
  const folder = runFolder(work, run);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, runFiles.run), `${JSON.stringify(run, null, 2)}\n`);
  const program = join(folder, 'do');
  const words = [process.execPath, join(import.meta.dirname, 'do.ts'), folder];
  await writeFile(program, `#!/bin/sh\nexec ${words.map(quoted).join(' ')} "$@"\n`);
  await chmod(program, 0o755);
  const prompt = join(folder, runFiles.prompt);
  const places = { program, answers: join(folder, runFiles.answers) };
  await writeFile(prompt, promptFor(arm, run, questions, places));
  return prompt;
}

/** Ends the engines that the arms of a work folder have left in the background. */
export async function stopEngines(work: string, arms: readonly Arm[]): Promise<void> {
  for (const { name, program } of arms) {
    if (program === undefined) continue;
    const bin = join(resolve(work), 'bin', name);
    const env = { PATH: bin, HOME: join(resolve(work), 'home', name), LANG: 'C.UTF-8' };
    await execute(join(bin, 'quarry'), ['stop'], { env });
  }
}
