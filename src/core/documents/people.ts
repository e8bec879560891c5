/** A person without their address, where they give a name. */
export function nameOf(author: string): string {
  const [, name = '', address = ''] = /^([^<]*)<([^<>]*)>$/.exec(author.trimEnd()) ?? [];
  return name.trim().replace(/^["']|["']$/g, '') || address || author;
}

/** A filter for an author that means this name and no longer one: "Bo", and not Bob. */
export function wholeName(name: string): string {
  return `"${name}"`;
}

/** The name that a filter for an author means as a whole; undefined where a part is enough. */
export function meantWhole(wanted: string): string | undefined {
  return /^"(.+)"$/.exec(wanted)?.[1];
}
