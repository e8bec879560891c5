import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The packages of which something is in what esbuild has made. */
export function packagesInProgram({ metafile }) {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? packageOf(path) : []));
}

/** The packages of which something is in the page that Vite has made. */
export function packagesInPage({ output }) {
  const modules = output.flatMap((part) => Object.entries(part.modules ?? {}));
  return modules.flatMap(([path, { renderedLength }]) => (renderedLength > 0 ? packageOf(path) : []));
}

/** The package that a file belongs to, by the last folder of packages in its path; none for a file of ours. */
function packageOf(path) {
  const [, name] = /.*\bnode_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path) ?? [];
  return name ? [name.replaceAll('\\', '/')] : [];
}

/** Writes which packages are inside of the build, and their licences. */
export function writeNotices(names) {
  const packages = [...new Set(names)].sort();
  const folder = (name) => join('node_modules', name);
  const versions = packages.map((name) => {
    const { version } = JSON.parse(readFileSync(join(folder(name), 'package.json'), 'utf8'));
    return { name, version };
  });
  const notices = packages.map((name) => `${name}\n\n${readFileSync(licenceIn(folder(name)), 'utf8')}`);
  writeFileSync('dist/bundled-packages.json', `${JSON.stringify(versions, null, 2)}\n`);
  writeFileSync('dist/BUNDLED-LICENSES.txt', notices.join('\n\n'));
}

function licenceIn(folder) {
  const [licence] = globSync(join(folder, '{LICENSE,LICENCE,license,LICENSE.*,license.*,LICENSE-*}')).sort();
  if (!licence) throw new Error(`${folder} has no licence that could be shown.`);
  return licence;
}
