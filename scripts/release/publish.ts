import { spawn } from 'node:child_process';

/** Warnings that are about the machine of who publishes, and not about the package. */
const ofTheMachine = /Unknown (user|env|project|builtin|global) config|requires you to be logged in/;

/** Lines in which npm says that something of the package is wrong, or that it has corrected it. */
export function warningsIn(output: string): string[] {
  const lines = output.split(/\r?\n/).filter((line) => /^npm (warn|error)/i.test(line));
  return lines.filter((line) => !ofTheMachine.test(line));
}

/** Publishes a tarball or a folder, or only tries; returns what npm has warned of. */
export async function publish(source: string, root: string, isReal: boolean): Promise<string[]> {
  const words = ['publish', source, '--ignore-scripts', ...(isReal ? [] : ['--dry-run'])];
  const { code, output } = await npm(words, root);
  const warnings = warningsIn(output);
  if (code !== 0) throw new Error(`npm publish ended with ${code}: ${warnings.join('\n')}`);
  return warnings;
}

/** Runs npm with its output kept. */
export function npm(
  words: readonly string[],
  folder: string,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', words, {
      cwd: folder,
      shell: process.platform === 'win32',
      stdio: ['inherit', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
