// Splits a joined chunk into a script, which is a function from what it imports to what it exports, and a module that runs it.
// Of a script the program can keep all that was compiled until its end (src/platform/kept-code.ts); of a module
// Node.js keeps what was compiled when it was loaded, and a search runs some fifteen hundred functions after that.
import { parseAst } from 'rollup/parseAst';

/** Parameters of the script that stand for what only a module has. */
const ofModule = { import: 'importHere', meta: 'metaHere' };

/** The module and the script; the lines of the script are those of the chunk, so that its source map holds. */
export function splitChunk(code, loader) {
  const edits = [];
  const imports = [];
  const imported = [];
  const exported = [];
  const visit = (node) => {
    if (node.type === 'ImportDeclaration') {
      imports.push(code.slice(node.start, node.end));
      imported.push(...node.specifiers.map(({ local }) => local.name));
      edits.push({ ...node, text: '' });
    } else if (node.type === 'ExportNamedDeclaration' && !node.declaration && !node.source) {
      exported.push(
        ...node.specifiers.map(({ local, exported: as }) => ({ local: local.name, as: as.name })),
      );
      edits.push({ ...node, text: '' });
    } else if (node.type.startsWith('Export')) throw new Error(`A chunk has a ${node.type}.`);
    else if (node.type === 'MetaProperty' && node.meta.name === 'import')
      edits.push({ ...node, text: ofModule.meta });
    else if (node.type === 'ImportExpression')
      edits.push({ start: node.start, end: node.start + 'import'.length, text: ofModule.import });
    else for (const child of childrenOf(node)) visit(child);
    if (node.type === 'ImportExpression') visit(node.source);
  };
  const program = parseAst(code);
  program.body.forEach(visit);
  requireConstant(program, new Set(exported.map(({ local }) => local)));
  let text = code;
  for (const { start, end, text: instead } of edits.sort((one, other) => other.start - one.start))
    text =
      text.slice(0, start) +
      instead +
      '\n'.repeat(code.slice(start, end).split('\n').length - 1) +
      text.slice(end);
  const [body, comment = ''] = text.split(/(?=\/\/# sourceMappingURL=)/);
  const parameters = [...Object.values(ofModule), ...imported].join(', ');
  const results = exported.map(({ local }) => local).join(', ');
  const names = exported.map((_, place) => `exported${place}`);
  return {
    script: inAscii(
      `(function (${parameters}) { 'use strict'; ${body}\nreturn [${results}];\n})\n${comment}`,
    ),
    module: `${imports.join('\n')}
import { loadCode } from '${loader}';
const [${names.join(', ')}] = loadCode(import.meta.url)(${['(path) => import(path)', 'import.meta', ...imported].join(', ')});
export { ${exported.map(({ as }, place) => `${names[place]} as ${as}`).join(', ')} };
`,
  };
}

function childrenOf(node) {
  return Object.values(node)
    .flat()
    .filter((value) => typeof value?.type === 'string');
}

/** What is exported is handed over once: what a function assigns later would be seen inside alone. */
function requireConstant(program, exported) {
  const visit = (node, isLater) => {
    const target = { AssignmentExpression: node.left, UpdateExpression: node.argument }[node.type];
    if (isLater && target?.type === 'Identifier' && variables.has(target.name))
      throw new Error(`A chunk exports ${target.name}, which changes later.`);
    for (const child of childrenOf(node)) visit(child, isLater || /Function/.test(node.type));
  };
  const variables = new Set(
    program.body
      .filter(({ type }) => type === 'VariableDeclaration')
      .flatMap(({ declarations }) => declarations.map(({ id }) => id.name))
      .filter((name) => exported.has(name)),
  );
  for (const node of program.body) visit(node, false);
}

/** Text of one byte for each character is read and compiled fastest. Other characters are left in patterns and comments alone. */
function inAscii(text) {
  return text.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
