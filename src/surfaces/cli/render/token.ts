import type { z } from 'zod';
import type { tokenCreateOperation, tokenListOperation } from '../../../operations/setup/token.ts';
import type { Output } from '../terminal/output.ts';

type Created = z.output<typeof tokenCreateOperation.output>;

/** Shows the tokens, one a line. */
export function renderTokens({ tokens }: z.output<typeof tokenListOperation.output>, output: Output): void {
  if (tokens.length === 0) output.result('No tokens. Make one with: quarry token create NAME');
  for (const { id, name, project, access, created_at } of tokens)
    output.result(`${id}  ${access.padEnd(5)}  ${project}  ${name}  ${created_at}`);
}

/** Shows a new token; the token alone goes to the result, so that a script can take it. */
export function renderCreated({ token, id, access, project }: Created, output: Output): void {
  const scope = project === '*' ? 'all projects' : project;
  const purpose = access === 'admin' ? 'change all projects and what they share' : `${access} ${scope}`;
  output.note(`A token to ${purpose} (${id}). It is shown only now:`);
  output.result(token);
}

/** Shows what was revoked. */
export function renderRevoked({ revoked }: { revoked: string }, output: Output): void {
  output.result(`Revoked ${revoked}.`);
}
