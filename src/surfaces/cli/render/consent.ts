import type { z } from 'zod';
import type { consentListOperation, consentWithdrawOperation } from '../../../operations/setup/consent.ts';
import { localTime } from '../terminal/local-time.ts';
import type { Output } from '../terminal/output.ts';

/** Where text may be sent, one line each. */
export function renderConsents(
  { consents }: z.output<typeof consentListOperation.output>,
  output: Output,
): void {
  if (consents.length === 0) output.note('No text may leave this machine.');
  for (const { project, address, given_at } of consents) {
    const scope = project === '*' ? 'every project' : project;
    output.result(`${address}  ${scope}  since ${localTime(given_at).slice(0, 10)}`);
  }
}

/** What was withdrawn, what is still allowed, and what remains. */
export function renderWithdrawn(
  result: z.output<typeof consentWithdrawOperation.output>,
  output: Output,
): void {
  const { withdrawn, still_allowed } = result;
  output.note(withdrawn === 0 ? 'Nothing was agreed.' : `Withdrawn: ${withdrawn}.`);
  for (const address of still_allowed) {
    output.note(`${address} is still allowed for every project, this one included.`);
    output.note(`  To withdraw that too, run: quarry consent withdraw ${address} --everywhere`);
  }
  renderConsents(result, output);
}
