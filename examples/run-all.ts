// Runs every example, without a network or a model server: npm run examples
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = fileURLToPath(new URL('.', import.meta.url));
const examples = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const failed: string[] = [];
for (const { name } of examples) {
  const started = performance.now();
  const outcome = await promisify(execFile)(process.execPath, [`${here}${name}/main.ts`], {
    env: { ...process.env, CI: 'true', QUARRY_GENERATOR_DRIVER: 'none' },
  }).then(
    ({ stdout }) => ({ isGood: true, output: stdout }),
    ({ stdout, stderr }) => ({ isGood: false, output: `${stdout}${stderr}` }),
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${outcome.isGood ? 'good' : 'FAILED'}  ${name}  ${seconds} s\n`);
  if (outcome.isGood) continue;
  failed.push(name);
  process.stderr.write(`${outcome.output}\n`);
}
process.stdout.write(`${examples.length - failed.length} of ${examples.length} examples ran\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
