import { posix } from 'node:path';
import type { GraphDocument, KeptDefinition } from '../file/graph-rows.ts';
import { familyOf, hasImplicitMembers, isStrict } from './families.ts';
import { foreign, isEmpty, joined, type Meaning, meaningOf, unknown } from './meaning.ts';
import { moduleFiles } from './modules.ts';
import { remembered } from './remembered.ts';
import type { GraphView } from './view.ts';

const deepest = 6;
/** Kinds that only continue what is defined elsewhere. */
const continuing: ReadonlySet<string> = new Set(['impl', 'extension', 'namespace']);
const containers: ReadonlySet<string> = new Set(
  'class interface trait impl object struct union enum record protocol extension actor annotation module namespace'.split(
    ' ',
  ),
);

/** Whether a definition holds members. */
export function isContainer({ kind }: Pick<KeptDefinition, 'kind'>): boolean {
  return containers.has(kind);
}

/** What a name means in a file, within the definition at a position. */
export function nameIn(view: GraphView, file: GraphDocument, name: string, within: number): Meaning {
  const own = visible(view, file, name, within);
  if (own.length > 0) return meaningOf(own);
  const imported = importedAs(view, file, name, deepest);
  if (imported !== undefined && (imported.isForeign || !isEmpty(imported))) return imported;
  return isStrict(file.language) ? unknown : anywhere(view, file, name);
}

/** What the file itself defines under a name that holds at a place: the innermost. */
function visible(view: GraphView, file: GraphDocument, name: string, within: number): KeptDefinition[] {
  // A method of an object is no plain name, however near it stands.
  const isPlain = ({ kind }: KeptDefinition): boolean =>
    !isStrict(file.language) || (kind !== 'method' && kind !== 'property');
  const named = view.definitionsNamed(name, file.id).filter(isPlain);
  if (named.length === 0) return [];
  for (let owner = within; ; ) {
    const holder = owner < 0 ? undefined : view.definitionAt(file.id, owner);
    const here = named.filter((each) => (each.within ?? -1) === owner && !isMethodElsewhere(each));
    if (here.length > 0 && !(holder && hidesMembers(holder, file.language))) return preferred(here);
    if (owner < 0) return [];
    owner = holder?.within ?? -1;
  }
}

/** Whether what a definition holds is named with it or by `this` alone. */
function hidesMembers(holder: KeptDefinition, language: string): boolean {
  const isOpen = holder.kind === 'module' || holder.kind === 'namespace';
  return isContainer(holder) && !isOpen && !hasImplicitMembers(language);
}

/** A method that is written outside of its class is no plain name. */
function isMethodElsewhere({ within, scope, kind }: KeptDefinition): boolean {
  return within === undefined && scope.length > 0 && !containers.has(kind);
}

/** What a file takes from others under a name; undefined where it takes nothing under it. */
function importedAs(view: GraphView, file: GraphDocument, name: string, depth: number): Meaning | undefined {
  const own = file.imports.filter(
    (each) => each.from !== '' && (each.local === name || (each.name === name && each.local !== '*')),
  );
  if (own.length > 0)
    return joined(own.map(({ from, name: there }) => taken(view, file, from, there, depth)));
  const whole = file.imports.filter(({ local, name: there }) => local === '*' && there === '*');
  const found = whole.flatMap(({ from }) =>
    moduleFiles(view, file, from, '*').map((id) => exported(view, id, name, depth - 1)),
  );
  const some = found.filter((each) => !isEmpty(each));
  return some.length > 0 ? joined(some) : undefined;
}

function taken(view: GraphView, file: GraphDocument, from: string, name: string, depth: number): Meaning {
  const files = moduleFiles(view, file, from, name);
  if (files.length === 0)
    return (
      submodule(view, file, from, name) ??
      (isStrict(file.language) || /^(?:jvm|lua)$/.test(familyOf(file.language)) ? foreign : unknown)
    );
  return joined(files.map((id) => exported(view, id, name, depth - 1)));
}

/** `from . import shapes` may mean the file. */
function submodule(view: GraphView, file: GraphDocument, from: string, name: string): Meaning | undefined {
  if (file.language !== 'python') return undefined;
  const modules = moduleFiles(view, file, from.endsWith('.') ? from + name : `${from}.${name}`, '*');
  return modules.length > 0 ? { definitions: [], modules, isForeign: false } : undefined;
}

/** What a file offers under a name: its own, or what it takes from others itself. */
export function exported(view: GraphView, id: number, name: string, depth = deepest): Meaning {
  const file = view.document(id);
  if (!file || depth <= 0) return unknown;
  if (name === '*') return { definitions: [], modules: [id], isForeign: false };
  return remembered(view, `export ${id} ${name} ${depth}`, () => exportFound(view, file, name, depth));
}

function exportFound(view: GraphView, file: GraphDocument, name: string, depth: number): Meaning {
  const { id } = file;
  const isTop = ({ within, scope }: KeptDefinition): boolean => within === undefined && scope.length === 0;
  if (name === 'default') {
    const unnamed = view
      .definitionsIn(id)
      .filter((each) => isTop(each) && each.signature.startsWith('export default'));
    if (unnamed.length > 0) return meaningOf(unnamed);
    const alias = file.imports.find(({ from, local }) => from === '' && local === 'default');
    return alias ? nameIn(view, file, alias.name, -1) : { definitions: [], modules: [id], isForeign: false };
  }
  const own = view.definitionsNamed(name, id).filter(isTop);
  if (own.length > 0) return meaningOf(preferred(own));
  const imported = importedAs(view, file, name, depth);
  if (imported && !isEmpty(imported)) return imported;
  if (file.language === 'python') {
    const beside = posix.join(posix.dirname(file.uri), name);
    const found = view.documentAt(`${beside}.py`) ?? view.documentAt(`${beside}/__init__.py`);
    if (found && /__init__\.pyi?$/.test(file.uri))
      return { definitions: [], modules: [found.id], isForeign: false };
  }
  // In languages where a file is a class, what is imported is a member of it.
  if (!isStrict(file.language)) return meaningOf(view.definitionsNamed(name, id));
  return imported ?? unknown;
}

/** Where names hold without an import: in the same folder, or in the whole project. */
function anywhere(view: GraphView, file: GraphDocument, name: string): Meaning {
  const family = familyOf(file.language);
  const folder = posix.dirname(file.uri);
  const all = remembered(view, `anywhere ${family} ${name}`, () =>
    meaningOf(
      view.definitionsOf(name).filter((each) => {
        const other = view.document(each.document);
        return (
          other !== undefined && familyOf(other.language) === family && !isMemberOf(each, other.language)
        );
      }),
    ),
  ).definitions;
  return remembered(view, `beside ${file.language} ${folder} ${name}`, () => {
    const beside = all.filter(({ document }) => posix.dirname(view.document(document)?.uri ?? '') === folder);
    return meaningOf(preferred(beside.length > 0 || file.language === 'go' ? beside : all));
  });
}

function isMemberOf({ within, scope, kind }: KeptDefinition, language: string): boolean {
  if (containers.has(kind) || ['ruby', 'elixir', 'c', 'cpp', 'rust', 'php', 'scala'].includes(language))
    return false;
  return within !== undefined || scope.length > 0;
}

/** Those that are the thing itself: not what continues it elsewhere, and not a declaration whose body is there too. */
export function preferred(definitions: readonly KeptDefinition[]): KeptDefinition[] {
  const main = definitions.filter(({ kind }) => !continuing.has(kind));
  const some = main.length > 0 ? main : definitions;
  const whole = some.filter(({ kind }) => kind !== 'declaration');
  return [...(whole.length > 0 ? whole : some)];
}
