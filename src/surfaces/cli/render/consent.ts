import type { z } from 'zod';
import type { consentOperation } from '../../../operations/consent.ts';
import { harmlessLine, type Output } from '../output.ts';

type Result = z.output<typeof consentOperation.output>;

/** Where text may be sent, one line each. */
export function renderConsent({ action, withdrawn, consents, still_allowed }: Result, output: Output): void {
  if (action === 'withdraw')
    output.note(withdrawn === 0 ? 'Nothing was agreed.' : `Withdrawn: ${withdrawn}.`);
  for (const address of still_allowed.map(harmlessLine)) {
    output.note(`${address} is still allowed for every project, this one included.`);
    output.note(`  To withdraw that too, run: quarry consent withdraw ${address} --everywhere`);
  }
  if (consents.length === 0) output.note('No text may leave this machine.');
  for (const { project, address, given_at } of consents) {
    const scope = project === '*' ? 'every project' : harmlessLine(project);
    output.result(`${harmlessLine(address)}  ${scope}  since ${given_at.slice(0, 10)}`);
  }
}
