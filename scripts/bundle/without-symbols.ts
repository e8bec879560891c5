/** Where the header of a 64-bit ELF file, and that of a section, keep what is changed or read here. */
const header = { sectionTable: 0x28, sectionSize: 0x3a, sectionCount: 0x3c, nameSection: 0x3e };
const section = { flags: 8, offset: 24, size: 32 };
/** The flag of a section that is loaded when the program runs. */
const isLoaded = 2;

/**
 * A program of Linux without what only a debugger reads (a tenth of Node.js): what is loaded stays as it is. Any other
 * file is returned unchanged: programs of macOS are signed, and those of Windows hold no symbols.
 */
export function withoutSymbols(program: Buffer): Buffer {
  if (program.subarray(0, 6).toString('latin1') !== '\x7fELF\x02\x01') return program;
  const table = Number(program.readBigUInt64LE(header.sectionTable));
  const size = program.readUInt16LE(header.sectionSize);
  const entries = Array.from({ length: program.readUInt16LE(header.sectionCount) }, (_, index) =>
    program.subarray(table + index * size, table + (index + 1) * size),
  );
  const names = entries[program.readUInt16LE(header.nameSection)];
  const firstUnloaded = entries.findIndex((entry, index) => index > 0 && !(flagsOf(entry) & isLoaded));
  const kept = entries.slice(0, firstUnloaded);
  // Sections refer to each other by number: those that are loaded have to come first, as linkers write them.
  if (!names || firstUnloaded < 1 || entries.slice(firstUnloaded).some((entry) => flagsOf(entry) & isLoaded))
    return program;
  const end = Math.min(...entries.slice(firstUnloaded).map((entry) => offsetOf(entry)));
  const nameBytes = program.subarray(offsetOf(names), offsetOf(names) + sizeOf(names));
  const padding = Buffer.alloc(-(end + nameBytes.length) & 7);
  const movedNames = Buffer.from(names);
  movedNames.writeBigUInt64LE(BigInt(end), section.offset);
  const head = Buffer.from(program.subarray(0, 64));
  head.writeBigUInt64LE(BigInt(end + nameBytes.length + padding.length), header.sectionTable);
  head.writeUInt16LE(kept.length + 1, header.sectionCount);
  head.writeUInt16LE(kept.length, header.nameSection);
  return Buffer.concat([head, program.subarray(64, end), nameBytes, padding, ...kept, movedNames]);
}

const flagsOf = (entry: Buffer) => Number(entry.readBigUInt64LE(section.flags));
const offsetOf = (entry: Buffer) => Number(entry.readBigUInt64LE(section.offset));
const sizeOf = (entry: Buffer) => Number(entry.readBigUInt64LE(section.size));
