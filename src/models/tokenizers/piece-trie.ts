/** Words longer than this become one unknown token, as the model was trained. */
export const maxWordLength = 100;

/** Cuts plain ASCII words in the text itself: no string is made and nothing is looked up by one. */
export interface PieceTrie {
  /** Appends the numbers of the pieces of `text.slice(start, end)`, read in lower case. */
  append(text: string, start: number, end: number, ids: number[]): void;
}

/** Places of the table for each edge: enough that a search seldom goes past its first place. */
const placesPerEdge = 2;
const wordRoot = 1;
const continuationRoot = 2;

/** Builds the trie of all pieces that are ASCII; the edges of its nodes are in one hash table. */
export function createPieceTrie(vocabulary: Readonly<Record<string, number>>, unknown: number): PieceTrie {
  const pieces = Object.keys(vocabulary);
  let maxNodes = continuationRoot + 1;
  for (const piece of pieces) maxNodes += piece.length;
  const mask = 2 ** Math.ceil(Math.log2(maxNodes * placesPerEdge)) - 1;
  const edges = new Int32Array(mask + 1);
  const targets = new Int32Array(mask + 1);
  const idOfNode = new Int32Array(maxNodes).fill(-1);

  /** The place of an edge in the table, or the free place where it belongs. */
  const placeOf = (node: number, code: number): number => {
    const edge = (node << 7) | code;
    let place = (Math.imul(edge, 0x9e3779b1) >>> 8) & mask;
    while (edges[place] !== 0 && edges[place] !== edge) place = (place + 1) & mask;
    return place;
  };

  let lastNode = continuationRoot;
  // A function of its own: the runtime compiles it after a few calls, and a start takes a third of the time.
  const add = (piece: string, id: number): void => {
    const continues = piece.startsWith('##') && piece.length > 2;
    let node = continues ? continuationRoot : wordRoot;
    for (let at = continues ? 2 : 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (code > 127) return;
      const place = placeOf(node, code);
      if (edges[place] === 0) {
        lastNode += 1;
        edges[place] = (node << 7) | code;
        targets[place] = lastNode;
      }
      node = targets[place] as number;
    }
    idOfNode[node] = id;
  };
  for (const piece of pieces) add(piece, vocabulary[piece] as number);

  return {
    append(text, start, end, ids) {
      const before = ids.length;
      let at = end - start > maxWordLength ? end : start;
      // Greedy longest match from the left; a word with any unknown part is unknown as a whole.
      while (at < end) {
        let node = at === start ? wordRoot : continuationRoot;
        let found = -1;
        let foundEnd = end;
        for (let next = at; next < end && node !== 0; next += 1) {
          node = targets[placeOf(node, lowerCase(text.charCodeAt(next)))] as number;
          const id = idOfNode[node] as number;
          if (id < 0) continue;
          found = id;
          foundEnd = next + 1;
        }
        if (found < 0) ids.length = before;
        else ids.push(found);
        at = foundEnd;
      }
      if (ids.length === before) ids.push(unknown);
    },
  };
}

function lowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}
