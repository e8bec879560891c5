import { readFile } from 'node:fs/promises';
import { isInside } from '../../../../platform/contained-path.ts';

/** File systems of Linux that nobody changes but this machine, so that it reports every change. */
const localKinds: ReadonlySet<string> = new Set(
  'ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs reiserfs tmpfs ramfs overlay vfat exfat ntfs3 squashfs erofs'.split(
    ' ',
  ),
);

interface Mount {
  readonly folder: string;
  readonly kind: string;
}

/** Whether the system reports every change in these folders: on Linux, where all that is mounted there is local. */
export async function reportsEveryChange(folders: readonly string[]): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  // Without the table nothing is known to be local.
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => undefined);
  return text !== undefined && areLocal(folders, text);
}

/** The same by the text of `/proc/self/mountinfo`. */
export function areLocal(folders: readonly string[], mountinfo: string): boolean {
  const mounts = mountinfo.split('\n').flatMap(mountOf);
  return folders.every((folder) => {
    const around = mounts.filter((mount) => isInside(mount.folder, folder));
    // What is mounted later covers what was mounted before in the same place.
    const own = around.toSorted((one, other) => one.folder.length - other.folder.length).at(-1);
    const below = mounts.filter((mount) => isInside(folder, mount.folder));
    return own !== undefined && [own, ...below].every(({ kind }) => localKinds.has(kind));
  });
}

function mountOf(line: string): Mount[] {
  const [place = '', system = ''] = line.split(' - ');
  const folder = place.split(' ')[4];
  const [kind] = system.split(' ');
  if (folder === undefined || !kind) return [];
  const plain = folder.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return [{ folder: plain, kind }];
}
