// Runs modules in a process of their own and prints, as JSON, who loaded which file or package on the way.
// Usage: node test/loaded-modules.mjs FILES [ARGUMENT …]; FILES is a list as JSON. The default export of each file, if it
// is a function, is called with the arguments.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const loads = [];
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    loads.push([context.parentURL, resolved.url]);
    return resolved;
  },
});

const [files, ...words] = process.argv.slice(2);
// A program finds its words where it would find them without this one.
process.argv.splice(1, 1);
for (const file of JSON.parse(files)) {
  // A program reads its words itself.
  process.argv = [process.argv[0], file, ...words];
  const { default: run } = await import(pathToFileURL(file).href);
  if (typeof run === 'function') await run(...words);
}
process.stdout.write(`\n${JSON.stringify(loads)}`);
