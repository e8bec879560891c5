import { wordPiece } from './texts.ts';

/** Token ids with the special tokens around them, cut where the model ends. */
export function tokenIds(text: string): number[] {
  return [wordPiece.startId, ...wordPiece.encode(text).slice(0, 510), wordPiece.endId];
}

/** A binary request: count, lengths, then all ids. */
export function binaryBody(texts: readonly (readonly number[])[]): Buffer {
  const tokens = texts.reduce((sum, ids) => sum + ids.length, 0);
  const body = Buffer.allocUnsafe(4 + 4 * texts.length + 2 * tokens);
  body.writeUInt32LE(texts.length, 0);
  let at = 4;
  for (const ids of texts) at = body.writeUInt32LE(ids.length, at);
  for (const ids of texts) for (const id of ids) at = body.writeUInt16LE(id, at);
  return body;
}

/** Cuts texts into groups of at most so many tokens each. */
export function groupsOf<Text extends { readonly length: number }>(
  texts: readonly Text[],
  tokens: number,
  size: (text: Text) => number,
): Text[][] {
  const groups: Text[][] = [];
  let group: Text[] = [];
  let held = 0;
  for (const text of texts) {
    const needed = size(text);
    if (held + needed > tokens && group.length > 0) {
      groups.push(group);
      group = [];
      held = 0;
    }
    group.push(text);
    held += needed;
  }
  if (group.length > 0) groups.push(group);
  return groups;
}
