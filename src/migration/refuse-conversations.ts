import type { Store } from '../contracts/store.ts';
import { isConversation } from '../core/documents/conversation.ts';
import { QuarryError } from '../core/errors.ts';
import { counted } from '../core/text/counted.ts';
import type { Settings } from '../settings/settings.ts';
import { isOfThisMachine } from '../sources/transcripts/open-transcripts.ts';

/** Fails where conversations with agents would go into an index that is not on this machine alone. */
export async function refuseConversations(source: Store, { store }: Pick<Settings, 'store'>): Promise<void> {
  if (isOfThisMachine(store)) return;
  const own = (await source.documents({ types: ['conversation'] })).filter(({ uri }) => isConversation(uri));
  if (own.length > 0)
    throw new QuarryError(
      'usage-invalid',
      `The index holds ${counted(own.length, 'session')} with agents, which do not go to ${store.driver}: others may read it.`,
      'Take them out first: quarry source remove transcripts',
    );
}
