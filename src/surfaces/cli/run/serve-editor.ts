import { serveOverStdio } from '../../mcp/stdio.ts';

/** Runs `quarry mcp`: its words are parsed like those of any command, but after the client has its first answer. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  serveOverStdio(async () => {
    const [{ mcpCommand }, { checkInput, shapeOf }, { parseWords }] = await Promise.all([
      import('../../mcp/command.ts'),
      import('../commands/flags.ts'),
      import('../commands/parse-words.ts'),
    ]);
    const operation = { name: 'mcp', summary: '', ...mcpCommand };
    const { input, common } = parseWords(shapeOf(operation), words.slice(1));
    const meant = mcpCommand.input.parse(checkInput(operation, input));
    return {
      ...meant,
      folders: [...(common.project === undefined ? [] : [common.project]), ...meant.folders],
    };
  });
  return 0;
}
