import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import { resultOf } from '../../platform/streams.ts';
import { openTokens } from '../../user/tokens.ts';
import { tokenCreateOperation, tokenListOperation, tokenRevokeOperation } from './token.ts';

test('a token is shown once, kept as a hash, found until it is revoked', async () => {
  const configFolder = await temporaryFolder();
  // These operations look at nothing else of a project.
  const project = { configFolder } as Project;
  const input = tokenCreateOperation.input.parse({ name: 'laptop', for_project: 'docs', write: true });
  const created = await resultOf(tokenCreateOperation.run(project, input, {}));
  const tokens = openTokens(configFolder);
  expect(await tokens.find(created.token)).toMatchObject({ project: 'docs', access: 'write' });
  expect(await tokens.find(`${created.token}x`)).toBeUndefined();
  expect(await readFile(join(configFolder, 'tokens.json'), 'utf8')).not.toContain(created.token);
  const listed = await resultOf(tokenListOperation.run(project, {}, {}));
  expect(listed.tokens).toEqual([expect.objectContaining({ id: created.id, name: 'laptop' })]);
  expect(JSON.stringify(listed)).not.toContain('hash');
  const wanted = { name: 'operator', for_project: 'docs', admin: true };
  const forOne = resultOf(tokenCreateOperation.run(project, tokenCreateOperation.input.parse(wanted), {}));
  await expect(forOne).rejects.toMatchObject({ code: 'usage-invalid' });
  await resultOf(tokenRevokeOperation.run(project, { id: created.id }, {}));
  expect(await tokens.find(created.token)).toBeUndefined();
  await expect(resultOf(tokenRevokeOperation.run(project, { id: created.id }, {}))).rejects.toMatchObject({
    code: 'usage-invalid',
  });
});
