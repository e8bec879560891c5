// What an agent calls in place of a shell: runs one command in the code, and counts it.
// Usage: node bench/agents/do.ts RUN-FOLDER COMMAND…, or the command on standard input
import { text } from 'node:stream/consumers';
import { countedCommand } from './counted-command.ts';
import { readRun } from './run-folder.ts';

const [folder = '', ...words] = process.argv.slice(2);
const command = words.length > 0 ? words.join(' ') : (await text(process.stdin)).trimEnd();
const { shown, logged } = await countedCommand(folder, await readRun(folder), command);
process.stdout.write(shown);
process.exitCode = logged.exit ?? 124;
