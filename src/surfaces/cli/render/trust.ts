import type { z } from 'zod';
import { counted } from '../../../core/text/counted.ts';
import type {
  trustGiveOperation,
  trustShowOperation,
  trustWithdrawOperation,
} from '../../../operations/setup/trust.ts';
import type { Output } from '../terminal/output.ts';

/** The commands of a project, and whether they are run. */
export function renderTrust(result: z.output<typeof trustShowOperation.output>, output: Output): void {
  const state = result.trusted
    ? 'Trusted; what is changed asks again:'
    : 'Not trusted, so that these are not run and do not count:';
  const nothing =
    'The settings of this project run no command and lower no protection: there is nothing to trust.';
  const claims = [...result.commands, ...result.settings];
  output.result(claims.length === 0 ? nothing : state);
  for (const command of claims) output.result(`  ${command}`);
  if (result.makers.length > 0) output.result('Indexes are taken over from:');
  for (const maker of result.makers) output.result(`  ${maker}`);
}

/** The same, and what was taken over. */
export function renderTrustGiven(result: z.output<typeof trustGiveOperation.output>, output: Output): void {
  const { adopted } = result;
  if (adopted.length === 0 || result.commands.length + result.settings.length > 0)
    renderTrust(result, output);
  if (adopted.length === 0) return;
  output.result(
    `From now on ${counted(adopted.length, 'added document')} that came with the folder counts as yours:`,
  );
  for (const uri of adopted) output.result(`  ${uri}`);
}

/** Whether there was anything to withdraw. */
export function renderTrustWithdrawn(
  result: z.output<typeof trustWithdrawOperation.output>,
  output: Output,
): void {
  output.result(result.withdrawn ? 'This project is no longer trusted.' : 'This project was not trusted.');
}
