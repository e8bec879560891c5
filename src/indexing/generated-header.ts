/** Characters and lines of a file in which its header is looked for. */
const maxHeaderLength = 4000;
const maxLines = 60;

/** A line that is blank or a comment in one of the languages that are cut; the inside of a block comment starts with a star. */
const isComment = /^\s*(?:$|\/\/|\/\*|\*|#|--|;|%|<!--|"""|'''|'|@|=begin|<\?php|"use strict"|'use strict')/;

/** What tools write over the files that they make. */
const notices: readonly RegExp[] = [
  /@generated\b/,
  /\bDO NOT (?:EDIT|MODIFY|CHANGE)\b/,
  /\bcode generated (?:by|from|with)\b/i,
  /\b(?:this|the) (?:file|code|module|class|header|source)\b.{0,40}\b(?:is|was|has been)\b.{0,40}\bgenerated\b/i,
  /^\W*<?(?:auto-?\s?generated|automatically generated)\b/i,
  /^\W*generated (?:by|from|with|using)\b/i,
];

/** Whether the comments at the top of a source file say that a tool made it. */
export function hasGeneratedHeader(text: string): boolean {
  let isInside = false;
  for (const line of text
    .slice(0, maxHeaderLength)
    .replace(/^\ufeff/, '')
    .split('\n')
    .slice(0, maxLines)) {
    if (!isInside && !isComment.test(line)) return false;
    if (notices.some((notice) => notice.test(line))) return true;
    if (line.includes('/*') || line.includes('<!--')) isInside = true;
    if (line.includes('*/') || line.includes('-->')) isInside = false;
  }
  return false;
}
