/** A person without their address, where they give a name. */
export function nameOf(author: string): string {
  const [, name = '', address = ''] = /^([^<]*)<([^<>]*)>$/.exec(author.trimEnd()) ?? [];
  return name.trim().replace(/^["']|["']$/g, '') || address || author;
}
