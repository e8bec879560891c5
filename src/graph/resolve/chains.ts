import type { GraphDocument, KeptDefinition } from '../file/graph-rows.ts';
import { familyOf, isStrict } from './families.ts';
import { foreign, isEmpty, joined, keyOf, type Meaning, meaningOf, unknown } from './meaning.ts';
import { moduleFiles } from './modules.ts';
import { exported, isContainer, nameIn, preferred } from './names.ts';
import { remembered } from './remembered.ts';
import type { GraphView } from './view.ts';

const deepest = 8;

/** What a chain stands for in a file: `openStore().search`, `Parser`. */
export function chainIn(
  view: GraphView,
  file: GraphDocument,
  chain: string,
  within: number,
  depth = 0,
): Meaning {
  if (depth > deepest || chain.startsWith('?')) return unknown;
  const [head, steps] = headOf(file, chain);
  let meaning = headMeaning(view, file, head, within);
  for (const step of steps) {
    // What something from outside gives may well be of the project.
    if (meaning.isForeign && step === '()') return unknown;
    if (meaning.isForeign || isEmpty(meaning)) return meaning;
    meaning = step === '()' ? returned(view, meaning, depth) : memberOf(view, meaning, step, depth);
  }
  return meaning;
}

/** The members of this name that something has, by its class and what that inherits. */
export function memberOf(view: GraphView, owner: Meaning, name: string, depth = 0): Meaning {
  if (owner.isForeign) return foreign;
  const fromFiles = owner.modules.map((id) => exported(view, id, name));
  const values = joined(owner.definitions.map((definition) => holderOf(view, definition, depth)));
  if (values.isForeign && fromFiles.length === 0) return foreign;
  const own = values.definitions.map((holder) => membersIn(view, holder, name, depth));
  return joined(
    [...fromFiles, ...values.modules.map((id) => exported(view, id, name)), ...own].filter(
      (each) => !isEmpty(each),
    ),
  );
}

/** The members of this name of what a class inherits from. */
export function inheritedMember(
  view: GraphView,
  file: GraphDocument,
  owner: string,
  name: string,
  within: number,
): Meaning {
  const classes = nameIn(view, file, owner, within).definitions.filter(isContainer);
  return joined(
    classes
      .flatMap((each) => parentsOf(view, each).map((parent) => membersIn(view, parent, name, 1)))
      .filter((each) => !isEmpty(each)),
  );
}

/** The classes that a class names in its head, as far as they are in the project. */
export function parentsOf(
  view: GraphView,
  { document, within = -1, parents = [] }: KeptDefinition,
): KeptDefinition[] {
  const file = view.document(document);
  return file
    ? parents.flatMap((name) => nameIn(view, file, name, within).definitions.filter(isContainer))
    : [];
}

function headOf(file: GraphDocument, chain: string): readonly [head: string, steps: readonly string[]] {
  // A file that is imported by its whole path is named by it: `os.path`.
  const dotted = file.imports
    .map(({ local }) => local)
    .filter((local) => local.includes('.') && (chain === local || chain.startsWith(`${local}.`)));
  const longest = dotted.sort((one, other) => other.length - one.length)[0];
  const head = longest ?? /^(?:import\([^)]*\)|[^.()]+)/.exec(chain)?.[0] ?? '';
  return [head, chain.slice(head.length).match(/\(\)|[^.()]+/g) ?? []];
}

function headMeaning(view: GraphView, file: GraphDocument, head: string, within: number): Meaning {
  const dynamic = /^import\(([^)]*)\)$/.exec(head)?.[1];
  if (dynamic !== undefined) {
    const modules = moduleFiles(view, file, dynamic, '*');
    return modules.length > 0 ? { definitions: [], modules, isForeign: false } : foreign;
  }
  const found = nameIn(view, file, head, within);
  if (found.isForeign || !isEmpty(found)) return found;
  const isImported = file.imports.some(({ local }) => local === head || local.startsWith(`${head}.`));
  if (isImported) return familyOf(file.language) === 'go' ? packageOf(view, file, head) : foreign;
  // A parameter of a type has no name of its own; what else nothing here defines comes with the language.
  if (/^\p{Lu}\d?$/u.test(head)) return unknown;
  return isStrict(file.language) || /^\p{Lu}/u.test(head) ? foreign : unknown;
}

/** The files of a package in Go lie in the folder that ends its path. */
function packageOf(view: GraphView, file: GraphDocument, local: string): Meaning {
  const path = file.imports.find((each) => each.local === local)?.from ?? '';
  const modules = view
    .filesInFolder(path.slice(path.lastIndexOf('/') + 1))
    .filter(({ uri }) => isInFolder(uri, path));
  return modules.length > 0
    ? { definitions: [], modules: modules.map(({ id }) => id), isForeign: false }
    : foreign;
}

function isInFolder(uri: string, path: string): boolean {
  const folder = uri.slice(0, Math.max(0, uri.lastIndexOf('/')));
  return (
    folder !== '' &&
    (path === folder || path.endsWith(`/${folder}`) || (folder.endsWith(`/${path}`) && path.includes('/')))
  );
}

/** What calling something gives. */
function returned(view: GraphView, meaning: Meaning, depth: number): Meaning {
  return joined(
    meaning.definitions.map((definition) => {
      if (isContainer(definition)) return meaningOf([definition]);
      return definition.type === undefined ? unknown : typeOf(view, definition, definition.type, depth);
    }),
  );
}

/** The class of a value, or the value itself where it is an object with members. */
function holderOf(view: GraphView, definition: KeptDefinition, depth: number): Meaning {
  if (isContainer(definition) && definition.kind !== 'impl') return meaningOf([definition]);
  if (
    definition.type !== undefined &&
    !/^(?:function|method|constructor|macro|declaration)$/.test(definition.kind)
  )
    return typeOf(view, definition, definition.type, depth);
  const holds = view.definitionsIn(definition.document).some(({ within }) => within === definition.position);
  return holds && definition.kind !== 'function' ? meaningOf([definition]) : unknown;
}

function typeOf(view: GraphView, definition: KeptDefinition, type: string, depth: number): Meaning {
  const file = view.document(definition.document);
  if (!file || depth > deepest || type === definition.name) return unknown;
  return remembered(view, `type ${keyOf(definition)} ${type} ${depth}`, () =>
    typeFound(view, file, definition, type, depth),
  );
}

function typeFound(
  view: GraphView,
  file: GraphDocument,
  { within = -1 }: KeptDefinition,
  type: string,
  depth: number,
): Meaning {
  const found = chainIn(view, file, type, within, depth + 1);
  if (found.definitions.length === 0) return found;
  return joined(
    found.definitions
      .map((each) => (isContainer(each) ? meaningOf([each]) : holderOf(view, each, depth + 1)))
      .concat({ ...found, definitions: [] }),
  );
}

function membersIn(view: GraphView, holder: KeptDefinition, name: string, depth: number): Meaning {
  const file = view.document(holder.document);
  if (!file || depth > deepest) return unknown;
  return remembered(view, `member ${keyOf(holder)} ${name} ${depth}`, () =>
    membersFound(view, file, holder, name, depth),
  );
}

function membersFound(
  view: GraphView,
  file: GraphDocument,
  holder: KeptDefinition,
  name: string,
  depth: number,
): Meaning {
  const family = familyOf(file.language);
  const inside = view
    .definitionsNamed(name, holder.document)
    .filter(({ within }) => within === holder.position);
  if (inside.length > 0) return meaningOf(preferred(inside));
  // Methods in Go and Rust, and those of extensions, stand outside of what they belong to.
  const outside = view
    .definitionsOf(name)
    .filter(
      (each) =>
        each.scope.at(-1) === holder.name &&
        familyOf(view.document(each.document)?.language ?? '') === family &&
        (family !== 'script' || each.document === holder.document) &&
        keyOf(each) !== keyOf(holder),
    );
  if (outside.length > 0) return meaningOf(preferred(outside));
  if (holder.kind === 'type' && holder.type !== undefined)
    return memberOf(view, typeOf(view, holder, holder.type, depth), name, depth + 1);
  return joined(
    parentsOf(view, holder)
      .map((parent) => membersIn(view, parent, name, depth + 1))
      .filter((each) => !isEmpty(each)),
  );
}
