/** A member of an archive that a test writes. */
export interface Member {
  readonly path: string;
  readonly content?: string | Uint8Array;
  /** `0` a file, `2` a link, `5` a folder, `x` a pax header, `L` a GNU long name. */
  readonly type?: string;
}

/** The bytes of a tar archive in the oldest form that knows long paths by none of the later ways. */
export function tarArchive(members: readonly Member[]): Buffer {
  return Buffer.concat([...members.map(tarMember), Buffer.alloc(1024)]);
}

/** One member without the end of the archive. */
export function tarMember({ path, content = '', type = '0' }: Member): Buffer {
  const bytes = Buffer.from(content as string);
  const header = Buffer.alloc(512);
  header.write(path, 0, 100);
  header.write('0000644\0', 100);
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

/** A pax header for the member after it. */
export function paxMember(attributes: Readonly<Record<string, string>>): Member {
  const content = Object.entries(attributes).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    let length = Buffer.byteLength(rest);
    while (String(length).length + Buffer.byteLength(rest) > length) length += 1;
    return length + rest;
  });
  return { path: 'PaxHeader', type: 'x', content: content.join('') };
}
