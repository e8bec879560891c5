// `npm run bundle` makes the archive for this platform, `npm run bundle -- all` those of every platform that all native
// packages support, `npm run bundle -- linux-arm64` that of one.
import { fileURLToPath } from 'node:url';
import { makeBundle } from './bundle/make-bundle.ts';
import { nodePackages } from './bundle/node-packages.ts';

const [wanted = `${process.platform}-${process.arch}`] = process.argv.slice(2);
const destination = fileURLToPath(new URL('../bundles/', import.meta.url));
for (const name of wanted === 'all' ? Object.keys(nodePackages) : [wanted]) {
  const [os = '', cpu = ''] = name.split('-');
  const { archive, bytes, sha256 } = await makeBundle({ os, cpu }, destination);
  console.log(`${archive}  ${(bytes / 1e6).toFixed(1)} MB  sha256 ${sha256}`);
}
