// Runs a module in a process of its own and prints, as JSON, every file and package that was loaded on the way.
// Usage: node test/loaded-modules.mjs FILE [ARGUMENT …]; FILE's default export, if any, is called with the arguments.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const loaded = new Set();
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    loaded.add(resolved.url);
    return resolved;
  },
});

const [file, ...words] = process.argv.slice(2);
// A program finds its words where it would find them without this one.
process.argv.splice(1, 1);
const { default: run } = await import(pathToFileURL(file).href);
if (typeof run === 'function') await run(...words);
process.stdout.write(JSON.stringify([...loaded]));
