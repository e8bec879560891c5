/** The oldest Node.js that has what is used here; `engines` in package.json says the same. */
const oldest = { major: 22, minor: 16 };

/** What is wrong with the Node.js that runs this; undefined where nothing is. It loads nothing, so that an old one gets to say it. */
export function runtimeFault(
  version = process.versions.node,
): { readonly message: string; readonly remedy: string } | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined;
  return {
    message: `Node.js ${version} is too old.`,
    remedy: `Install Node.js ${oldest.major}.${oldest.minor} or newer.`,
  };
}
