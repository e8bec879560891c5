import { Document } from '@langchain/core/documents';
import type { FoundText } from '../found-text.ts';

/** Metadata that a program gave a document, as one field: a store keeps no nested values. */
export const keptMetadata = 'langchain';

/** A text as a document of LangChain; what was added through a vector store has its own metadata again. */
export function toDocument({ id, text, facts, document }: FoundText): Document {
  return new Document({ id, pageContent: text, metadata: { ...given(document.metadata), ...facts } });
}

function given({ [keptMetadata]: kept }: FoundText['document']['metadata']): Record<string, unknown> {
  return typeof kept === 'string' ? JSON.parse(kept) : {};
}
