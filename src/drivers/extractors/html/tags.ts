/** Tags whose content is not text for people. */
export const droppedTags: ReadonlySet<string> = new Set(
  'script style template svg canvas iframe object embed noscript audio video map'.split(' '),
);

/** Tags around what a page repeats on every page, and its controls. */
export const boilerplateTags: ReadonlySet<string> = new Set(
  'nav footer aside menu dialog button select option textarea'.split(' '),
);

/** The same by their role. */
export const boilerplateRoles: ReadonlySet<string> = new Set(
  'navigation banner contentinfo complementary search dialog alert menu menubar toolbar'.split(' '),
);

/** Tags that begin and end a block of text. */
export const blockTags: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html li main menu nav ol option p pre section select ' +
    'summary table tbody tfoot thead title tr ul'
  ).split(' '),
);

/** 1 to 6 for `h1` to `h6`, else 0. */
export function headingLevel(tag: string): number {
  return /^h[1-6]$/.test(tag) ? Number(tag.slice(1)) : 0;
}
