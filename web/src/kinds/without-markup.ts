/** Whether the text of a file is Markdown; that of a notebook is, and that of letters and books. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|mdx|markdown|ipynb|do[ct][xm]|odt|ott|fodt|rtf|epub)$/i.test(path);
}

/** A line of Markdown in its words alone: without the marks of headings, lists, tasks, quotes, emphasis, code and links. */
export function withoutMarkup(line: string): string {
  return line
    .replace(/^(?:[#>]+ |[-*+] (?:\[[ xX]\] )?|\d{1,9}[.)] )+/, '')
    .replace(/!?\[([^\]]{0,300})\]\([^)]{0,500}\)/g, '$1')
    .replace(/\*\*([^*]{1,500})\*\*/g, '$1')
    .replace(/`([^`]{1,300})`/g, '$1');
}
