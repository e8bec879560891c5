import { plainly } from './words.ts';

/** A path with its last part set off from its folder. */
export function PathName({ path }: { path: string }) {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <>
      <span class="folder">{plainly(path.slice(0, cut))}</span>
      <b>{plainly(path.slice(cut))}</b>
    </>
  );
}
