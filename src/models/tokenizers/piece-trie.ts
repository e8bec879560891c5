/** Words longer than this become one unknown token, as the model was trained. */
export const maxWordLength = 100;

/** The pieces of a vocabulary as numbers, so that they can be kept in a file and need not be built in each thread. */
export interface PackedPieces {
  /** The trie of all pieces that are ASCII, as a hash table: an edge by its node and character, and the node it leads to. */
  readonly edges: Int32Array;
  /** The number of the piece that ends at a node, or -1. */
  readonly ids: Int32Array;
  /** Pieces that are not ASCII, with their numbers. */
  readonly others: Readonly<Record<string, number>>;
}

/** Cuts plain ASCII words in the text itself: no string is made and nothing is looked up by one. */
export interface PieceTrie {
  /** Appends the numbers of the pieces of `text.slice(start, end)`, read in lower case. */
  append(text: string, start: number, end: number, ids: number[]): void;
  /** The number of a piece as it is spelt in the vocabulary. */
  idOf(piece: string): number | undefined;
}

/** Places of the table for each edge: enough that a search seldom goes past its first place. */
const placesPerEdge = 2;
const wordRoot = 1;
const continuationRoot = 2;
const plainAscii = /^[\0-\x7f]*$/;

/** Builds the trie of a vocabulary; `maxNodes` is how many it has at most. */
export function packPieces(
  vocabulary: Readonly<Record<string, number>>,
  maxNodes = continuationRoot + 1 + Object.keys(vocabulary).reduce((sum, piece) => sum + piece.length, 0),
): PackedPieces {
  const edges = new Int32Array(2 * 2 ** Math.ceil(Math.log2(maxNodes * placesPerEdge)));
  const ids = new Int32Array(maxNodes).fill(-1);
  const others: Record<string, number> = {};
  let lastNode = continuationRoot;
  // A function of its own: the runtime compiles it after a few calls, and a start takes a third of the time.
  const add = (piece: string, id: number): void => {
    let node = rootOf(piece);
    for (let at = node === wordRoot ? 0 : 2; at < piece.length; at += 1) {
      const edge = (node << 7) | piece.charCodeAt(at);
      const place = placeOf(edges, edge);
      if (edges[place] === 0) {
        lastNode += 1;
        edges[place] = edge;
        edges[place + 1] = lastNode;
      }
      node = edges[place + 1] as number;
    }
    ids[node] = id;
  };
  for (const [piece, id] of Object.entries(vocabulary))
    if (plainAscii.test(piece)) add(piece, id);
    else others[piece] = id;
  return { edges, ids: ids.slice(0, lastNode + 1), others };
}

/** Looks pieces up; a word with a part that is none of them becomes the piece `[UNK]`. */
export function createPieceTrie({ edges, ids: idOfNode, others }: PackedPieces): PieceTrie {
  const idOf = (piece: string): number | undefined => {
    if (!plainAscii.test(piece)) return Object.hasOwn(others, piece) ? others[piece] : undefined;
    let node = rootOf(piece);
    for (let at = node === wordRoot ? 0 : 2; at < piece.length && node !== 0; at += 1)
      node = edges[placeOf(edges, (node << 7) | piece.charCodeAt(at)) + 1] as number;
    const id = idOfNode[node] as number;
    return node === 0 || id < 0 ? undefined : id;
  };
  const unknown = idOf('[UNK]') ?? 0;
  return {
    idOf,
    append(text, start, end, ids) {
      const before = ids.length;
      let at = end - start > maxWordLength ? end : start;
      // Greedy longest match from the left; a word with any unknown part is unknown as a whole.
      while (at < end) {
        let node = at === start ? wordRoot : continuationRoot;
        let found = -1;
        let foundEnd = end;
        for (let next = at; next < end && node !== 0; next += 1) {
          node = edges[placeOf(edges, (node << 7) | lowerCase(text.charCodeAt(next))) + 1] as number;
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

/** Bytes that `unpackPieces` reads. */
export function bytesOfPieces({ edges, ids, others }: PackedPieces): Buffer {
  const numbers = new Int32Array(2 + edges.length + ids.length);
  numbers.set([edges.length, ids.length]);
  numbers.set(edges, 2);
  numbers.set(ids, 2 + edges.length);
  return Buffer.concat([Buffer.from(numbers.buffer), Buffer.from(JSON.stringify(others))]);
}

/** What `bytesOfPieces` wrote; the caller knows that the bytes are those. */
export function unpackPieces(bytes: Uint8Array): PackedPieces {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  const numbers = new Int32Array(aligned.buffer, aligned.byteOffset, Math.floor(aligned.length / 4));
  const [edgeCount = 0, idCount = 0] = numbers;
  const end = 2 + edgeCount + idCount;
  return {
    edges: numbers.subarray(2, 2 + edgeCount),
    ids: numbers.subarray(2 + edgeCount, end),
    others: JSON.parse(new TextDecoder().decode(aligned.subarray(end * 4))) as Record<string, number>,
  };
}

function rootOf(piece: string): number {
  return piece.startsWith('##') && piece.length > 2 ? continuationRoot : wordRoot;
}

/** The place of an edge in the table, or the free place where it belongs. */
function placeOf(edges: Int32Array, edge: number): number {
  const mask = edges.length - 1;
  let place = ((Math.imul(edge, 0x9e3779b1) >>> 8) << 1) & mask;
  while (edges[place] !== 0 && edges[place] !== edge) place = (place + 2) & mask;
  return place;
}

function lowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}
