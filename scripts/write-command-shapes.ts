// Writes what the command line needs to know of its commands into the build, so that a short command loads no schemas.
import { writeFileSync } from 'node:fs';
import { loadOperation } from '../src/operations/catalogue.ts';
import { packagePath } from '../src/platform/package-folder.ts';
import { shapesFile } from '../src/surfaces/cli/commands/command-shape.ts';
import { performed } from '../src/surfaces/cli/commands/commands.ts';
import { shapeOf } from '../src/surfaces/cli/commands/flags.ts';

const shapes = (await Promise.all(performed.map(loadOperation))).map(shapeOf);
writeFileSync(packagePath(`dist/${shapesFile}`), JSON.stringify(shapes));
