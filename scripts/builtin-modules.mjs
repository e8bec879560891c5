// Has a built program ask Node.js for its modules instead of importing them: to import one makes a namespace of it, for
// which every property is read, and some of those load a module of their own (`fs.ReadStream`, `crypto.webcrypto`). An older Node.js, which lacks
// this way, must still be able to say that it is too old: it gets nothing, and fails at nothing before it has said so.
import { isBuiltin } from 'node:module';
import { parseAst } from 'rollup/parseAst';

/** The text with constants in place of its imports of modules of Node.js, on the same lines. */
export function withoutBuiltinImports(code) {
  let text = code;
  const imports = parseAst(code).body.filter(
    ({ type, source, specifiers }) =>
      type === 'ImportDeclaration' && isBuiltin(source.value) && specifiers.length > 0,
  );
  for (const { start, end, specifiers, source } of imports.reverse()) {
    const lines = '\n'.repeat(code.slice(start, end).split('\n').length - 1);
    text = text.slice(0, start) + constantsOf(specifiers, source.value) + lines + text.slice(end);
  }
  return text;
}

function constantsOf(specifiers, name) {
  const module = `process.getBuiltinModule?.('${name}') ?? {}`;
  const whole = specifiers.filter(({ type }) => type !== 'ImportSpecifier').map(({ local }) => local.name);
  const parts = specifiers
    .filter(({ type }) => type === 'ImportSpecifier')
    .map(({ imported, local }) =>
      imported.name === local.name ? local.name : `${imported.name}: ${local.name}`,
    );
  const bound = [...whole, ...(parts.length > 0 ? [`{ ${parts.join(', ')} }`] : [])];
  return bound.map((left) => `const ${left} = ${module};`).join(' ');
}
