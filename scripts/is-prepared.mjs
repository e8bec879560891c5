// Ends well where nothing is left to prepare: `npx quarry` in a clone has npm prepare the folder once more, as one that
// is to be installed, and after `npm ci` the build is there already.
import { existsSync } from 'node:fs';

const program = new URL('../dist/surfaces/cli/main.js', import.meta.url);
process.exitCode = process.env.npm_command === 'exec' && existsSync(program) ? 0 : 1;
