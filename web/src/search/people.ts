/** A person without their address, where they give a name. */
export function nameOf(author: string): string {
  const [, name = '', address = ''] = /^(.*?)\s*<([^<>]*)>\s*$/.exec(author) ?? [];
  return name.replace(/^["']|["']$/g, '') || address || author;
}
