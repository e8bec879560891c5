import type { Document } from '../src/core/document.ts';
import { documentId } from '../src/core/identity.ts';

/** A document with this text at this path and nothing else to say. */
export function documentAt(uri: string, text: string): Document {
  return {
    id: documentId(uri),
    uri,
    title: uri.slice(uri.lastIndexOf('/') + 1),
    type: 'code',
    origin: 'file',
    mediaType: 'text/x-source',
    text,
    revision: '',
    modifiedAt: 0,
    metadata: {},
  };
}
