/** Streams by their path, with `/` between the names of storages. */
export type Streams = Readonly<Record<string, Uint8Array>>;

const sector = 512;
const endOfChain = 0xfffffffe;
const none = 0xffffffff;

interface Node {
  readonly name: string;
  readonly type: 1 | 2 | 5;
  readonly content: Uint8Array;
  readonly children: Node[];
}

/** A compound file with these streams; short ones are kept together, as Outlook does. */
export function compoundFileOf(streams: Streams): Buffer {
  const nodes = flat(treeOf(streams));
  const sectors: Buffer[] = [];
  const table: number[] = [];
  const small: Buffer[] = [];
  const smallTable: number[] = [];
  const add = (content: Uint8Array, size: number, into: Buffer[], chain: number[]): number => {
    if (content.length === 0) return endOfChain;
    const first = into.length;
    for (let at = 0; at < content.length; at += size) {
      const piece = Buffer.alloc(size);
      piece.set(content.subarray(at, at + size));
      into.push(piece);
      chain.push(at + size < content.length ? into.length : endOfChain);
    }
    return first;
  };
  const starts = nodes.map(({ type, content }) => {
    if (type !== 2) return 0;
    return content.length < 4096 ? add(content, 64, small, smallTable) : add(content, sector, sectors, table);
  });
  const smallBytes = Buffer.concat(small);
  starts[0] = add(smallBytes, sector, sectors, table);
  const smallTableStart = add(numbers(smallTable, none), sector, sectors, table);
  const sizes = nodes.map(({ type, content }) => (type === 5 ? smallBytes.length : content.length));
  const directory = nodes.map((node, at) => entryOf(node, nodes, starts[at] ?? 0, sizes[at] ?? 0));
  const directoryStart = add(Buffer.concat(directory), sector, sectors, table);
  const tableSectors = Math.ceil((table.length + 1) / (sector / 4 - 1));
  const firstTable = sectors.length;
  for (let at = 0; at < tableSectors; at += 1) table.push(0xfffffffd);
  const header = headerOf(directoryStart, smallTable.length > 0 ? smallTableStart : endOfChain);
  header.writeUInt32LE(tableSectors, 44);
  for (let at = 0; at < 109; at += 1)
    header.writeUInt32LE(at < tableSectors ? firstTable + at : none, 76 + at * 4);
  return Buffer.concat([header, ...sectors, numbers(table, none, tableSectors)]);
}

function headerOf(directoryStart: number, smallTableStart: number): Buffer {
  const header = Buffer.alloc(sector);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(directoryStart, 48);
  header.writeUInt32LE(4096, 56);
  header.writeUInt32LE(smallTableStart, 60);
  header.writeUInt32LE(endOfChain, 68);
  return header;
}

function treeOf(streams: Streams): Node {
  const root: Node = { name: 'Root Entry', type: 5, content: Buffer.alloc(0), children: [] };
  for (const [path, content] of Object.entries(streams)) {
    const names = path.split('/');
    const folder = names.slice(0, -1).reduce((parent, name) => {
      const known = parent.children.find((child) => child.name === name);
      if (known) return known;
      const made: Node = { name, type: 1, content: Buffer.alloc(0), children: [] };
      parent.children.push(made);
      return made;
    }, root);
    folder.children.push({ name: names.at(-1) ?? '', type: 2, content, children: [] });
  }
  return root;
}

function flat(node: Node): Node[] {
  return [node, ...node.children.flatMap(flat)];
}

/** Children of one storage as a list: each is to the right of the one before. */
function entryOf(node: Node, nodes: readonly Node[], start: number, size: number): Buffer {
  const entry = Buffer.alloc(128);
  const length = entry.write(node.name, 0, 62, 'utf16le');
  const parent = nodes.find(({ children }) => children.includes(node));
  const next = parent?.children[parent.children.indexOf(node) + 1];
  entry.writeUInt16LE(length + 2, 64);
  entry[66] = node.type;
  entry.writeUInt32LE(none, 68);
  entry.writeUInt32LE(next ? nodes.indexOf(next) : none, 72);
  entry.writeUInt32LE(node.children[0] ? nodes.indexOf(node.children[0]) : none, 76);
  entry.writeUInt32LE(start, 116);
  entry.writeUInt32LE(size, 120);
  return entry;
}

function numbers(
  values: readonly number[],
  filler: number,
  sectors = Math.ceil(values.length / 128),
): Buffer {
  const bytes = Buffer.alloc(sectors * sector);
  for (let at = 0; at < bytes.length / 4; at += 1) bytes.writeUInt32LE(values[at] ?? filler, at * 4);
  return bytes;
}

/** The table of properties of fixed size: numbers and moments by their tags. */
export function propertyTable(headerBytes: number, values: Readonly<Record<number, number | Date>>): Buffer {
  const entries = Object.entries(values).map(([tag, value]) => {
    const entry = Buffer.alloc(16);
    entry.writeUInt16LE(value instanceof Date ? 0x40 : 3, 0);
    entry.writeUInt16LE(Number(tag), 2);
    if (value instanceof Date)
      entry.writeBigUInt64LE(BigInt(value.getTime() + 11_644_473_600_000) * 10_000n, 8);
    else entry.writeInt32LE(value, 8);
    return entry;
  });
  return Buffer.concat([Buffer.alloc(headerBytes), ...entries]);
}

/** A message of Outlook with a recipient and an attachment; further streams replace those that it has. */
export function msgOf(streams: Streams = {}, date = new Date('2026-03-03T09:00:00Z')): Buffer {
  const wide = (text: string) => Buffer.from(text, 'utf16le');
  return compoundFileOf({
    '__properties_version1.0': propertyTable(32, { 57: date, 16350: 1251, 16381: 1251 }),
    '__substg1.0_0037001F': wide('Harvest שלום'),
    '__substg1.0_0C1A001F': wide('Renée'),
    '__substg1.0_0C1F001F': wide('/O=FIRM/CN=RENEE'),
    '__substg1.0_5D01001F': wide('renee@example.org'),
    '__substg1.0_1035001F': wide('<one@example.org>'),
    '__substg1.0_1000001F': wide('Tea at noon.\r\n\r\nBring a cup.\r\n'),
    '__recip_version1.0_#00000000/__substg1.0_3001001F': wide('Bo'),
    '__recip_version1.0_#00000000/__substg1.0_39FE001F': wide('bo@example.org'),
    '__recip_version1.0_#00000000/__properties_version1.0': propertyTable(8, { 3093: 1 }),
    '__recip_version1.0_#00000001/__substg1.0_3001001E': Buffer.from('\xc0\xed\xed\xe0', 'latin1'),
    '__recip_version1.0_#00000001/__properties_version1.0': propertyTable(8, { 3093: 2 }),
    '__attach_version1.0_#00000000/__substg1.0_3707001F': wide('plan.pdf'),
    '__attach_version1.0_#00000000/__substg1.0_37010102': Buffer.alloc(9000, 1),
    ...streams,
  });
}
