import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('loads no package before the first file is read', async () => {
  const names = [
    'text',
    'markdown',
    'pdf',
    'html',
    'docx',
    'xlsx',
    'ods',
    'pptx',
    'odp',
    'odt',
    'epub',
    'ics',
    'vcf',
    'rtf',
    'msg',
    'email',
    'mbox',
    'notebook',
  ];
  const modules = names.map((name) => new URL(`./${name}.ts`, import.meta.url).href);
  const program = `
    import { registerHooks } from 'node:module';
    const packages = [];
    registerHooks({
      resolve(specifier, context, next) {
        const resolved = next(specifier, context);
        if (resolved.url.includes('/node_modules/')) packages.push(specifier);
        return resolved;
      },
    });
    for (const module of ${JSON.stringify(modules)}) (await import(module)).default();
    process.stdout.write(JSON.stringify(packages));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(JSON.parse(stdout)).toEqual([]);
});
