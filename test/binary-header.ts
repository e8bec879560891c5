/** What the header of a program or library says of itself. */
export interface BinaryHeader {
  readonly os: 'linux' | 'darwin' | 'win32';
  /** The processors that it runs on, in Node.js's words; several where it is there once for each. */
  readonly cpus: readonly string[];
  /** Of macOS alone: what each of these parts asks the system for. */
  readonly parts: readonly MachPart[];
}

/** The part of a program of macOS that is for one processor. */
export interface MachPart {
  readonly cpu: string;
  readonly libraries: readonly string[];
  /** macOS runs nothing on arm64 that is not signed. */
  readonly isSigned: boolean;
  /** The oldest macOS that loads it: its major version. */
  readonly oldestSystem: number;
}

const elfProcessors: Readonly<Record<number, string>> = { 62: 'x64', 183: 'arm64' };
const windowsProcessors: Readonly<Record<number, string>> = { 34404: 'x64', 43620: 'arm64' };
const machProcessors: Readonly<Record<number, string>> = { 16777223: 'x64', 16777228: 'arm64' };

/** Reads the header of an ELF, Mach-O or PE file; undefined where it is none of them. */
export function binaryHeader(bytes: Buffer): BinaryHeader | undefined {
  const named = (table: Readonly<Record<number, string>>, number: number) => [table[number] ?? `${number}`];
  if (bytes.toString('latin1', 0, 4) === '\x7fELF')
    return { os: 'linux', cpus: named(elfProcessors, bytes.readUInt16LE(18)), parts: [] };
  if (bytes.toString('latin1', 0, 2) === 'MZ') {
    const at = bytes.readUInt32LE(0x3c);
    if (bytes.toString('latin1', at, at + 4) !== 'PE\0\0') return undefined;
    return { os: 'win32', cpus: named(windowsProcessors, bytes.readUInt16LE(at + 4)), parts: [] };
  }
  const parts = partsOfMach(bytes);
  return parts && { os: 'darwin', cpus: parts.map(({ cpu }) => cpu), parts };
}

function partsOfMach(bytes: Buffer): MachPart[] | undefined {
  const magic = bytes.readUInt32LE(0);
  if (magic === 0xfeedfacf) return [machPart(bytes)];
  if (magic !== 0xbebafeca) return undefined;
  // A list of parts, each with its offset and size, in the other order of bytes.
  return Array.from({ length: bytes.readUInt32BE(4) }, (_, number) => {
    const start = bytes.readUInt32BE(8 + number * 20 + 8);
    return machPart(bytes.subarray(start, start + bytes.readUInt32BE(8 + number * 20 + 12)));
  });
}

const loadsLibrary: ReadonlySet<number> = new Set([0x0c, 0x80000018, 0x8000001f]);
const signature = 0x1d;
const buildVersion = 0x32;
const oldestVersion = 0x24;

function machPart(bytes: Buffer): MachPart {
  const libraries: string[] = [];
  let isSigned = false;
  let oldestSystem = 0;
  let at = 32;
  for (let left = bytes.readUInt32LE(16); left > 0; left -= 1) {
    const command = bytes.readUInt32LE(at);
    if (loadsLibrary.has(command)) {
      const start = at + bytes.readUInt32LE(at + 8);
      libraries.push(bytes.toString('utf8', start, bytes.indexOf(0, start)));
    }
    if (command === signature) isSigned = true;
    if (command === buildVersion) oldestSystem = bytes.readUInt16LE(at + 14);
    if (command === oldestVersion) oldestSystem = bytes.readUInt16LE(at + 10);
    at += bytes.readUInt32LE(at + 4);
  }
  const number = bytes.readUInt32LE(4);
  return { cpu: machProcessors[number] ?? `${number}`, libraries, isSigned, oldestSystem };
}
