/** The words of a command as a shell would split them; nothing is expanded, and no shell runs it. */
export function splitCommand(text: string): string[] {
  const words = text.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(
      /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g,
      (_, double?: string, single?: string, escaped?: string) =>
        double !== undefined ? double.replace(/\\(["\\])/g, '$1') : (single ?? escaped ?? ''),
    ),
  );
}
