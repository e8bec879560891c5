import { expect, test } from 'vitest';
import { importOptional } from './import-optional.ts';

const failing = (cause: Error) => importOptional('some-package', 'The reader', () => Promise.reject(cause));

test('a package that is missing is named with how to install it', async () => {
  await expect(failing(new Error('Cannot find package'))).rejects.toMatchObject({
    code: 'requirement-missing',
    message: 'The reader needs the package some-package, which cannot be loaded here.',
    remedy: 'Run: npm install some-package',
  });
});

test('a package that is there, but lacks a library of the system, is not to be installed again', async () => {
  const cause = Object.assign(new Error('libstdc++.so.6: cannot open shared object file\nRequire stack: …'), {
    code: 'ERR_DLOPEN_FAILED',
  });
  await expect(failing(cause)).rejects.toMatchObject({
    code: 'requirement-missing',
    message:
      'The reader needs the package some-package, which the system cannot load: libstdc++.so.6: cannot open shared object file.',
    remedy: expect.not.stringContaining('npm'),
  });
});
