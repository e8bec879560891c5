import type { Extractor } from '../../contracts/extractor.ts';
import { type SessionTranscript, turnSubject } from '../../core/documents/conversation.ts';
import { bounded, defaultBounds } from './bounds.ts';
import { turnsExtraction } from './chats/chat-text.ts';

/** A session of an agent, as its source gives it. */
export function createTranscriptExtractor(bounds = defaultBounds): Extractor {
  return bounded('session', bounds, async ({ bytes }) => {
    const session = JSON.parse(new TextDecoder().decode(bytes)) as SessionTranscript;
    const { turns, agent, agentTitle, speaker, title, folder, id, branch, resume, notes } = session;
    const where = session.shownFolder === '' ? '' : ` in ${session.shownFolder}`;
    const about = `${agentTitle}${where}${resume === undefined ? '' : `, continued by: ${resume}`}`;
    const [first] = turns;
    if (!first) return { kind: 'skip', reason: 'empty', rule: 'no question that is answered yet' };
    const metadata = {
      agent,
      session: id,
      ...(folder !== '' && { folder }),
      ...(branch !== undefined && { branch }),
      ...(resume !== undefined && { resume }),
    };
    const extraction = turnsExtraction([{ title, turns, about }], speaker, metadata, notes);
    if (extraction.kind === 'skip') return extraction;
    return { ...extraction, title: title || turnSubject(first) || agentTitle };
  });
}

export default createTranscriptExtractor;
