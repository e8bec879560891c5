import type { GraphDocument, KeptDefinition } from '../file/graph-rows.ts';
import type { Site } from '../file/sites.ts';
import { chainIn, inheritedMember, memberOf } from './chains.ts';
import { familyOf, isCommonMember, isStrict } from './families.ts';
import { isEmpty } from './meaning.ts';
import { isContainer, nameIn, preferred } from './names.ts';
import type { GraphView } from './view.ts';

/** What a mention means. */
export interface Resolution {
  /** `certain`: these and nothing else; `possible`: one of these, if it is of the project at all; `none`: nothing that it defines. */
  readonly certainty: 'certain' | 'possible' | 'none';
  readonly definitions: readonly KeptDefinition[];
}

const none: Resolution = { certainty: 'none', definitions: [] };

/** Says what mentions mean; the same question is thought over once. */
export function createResolver(
  view: GraphView,
): (file: GraphDocument, name: string, site: Site) => Resolution {
  const known = new Map<string, Resolution>();
  const byName = new Map<string, Resolution>();
  const anyMember = (file: GraphDocument, name: string): Resolution => {
    const family = familyOf(file.language);
    const found = byName.get(`${family} ${name}`) ?? membersNamed(view, family, name);
    byName.set(`${family} ${name}`, found);
    return found;
  };
  // Thousands of mentions may all mean one of the same thousands of members.
  const byKind = new Map<string, Resolution>();
  const anyOfKind = (file: GraphDocument, name: string, kind: Site['kind']): Resolution => {
    const key = `${familyOf(file.language)} ${kind} ${name}`;
    const found = byKind.get(key) ?? ofKind(anyMember(file, name), kind);
    byKind.set(key, found);
    return found;
  };
  const bySyntax = (file: GraphDocument, name: string, site: Site): Resolution => {
    const key = `${file.id} ${site.kind} ${site.chain} ${site.chain < 0 ? site.within : ''} ${name}`;
    const before = known.get(key);
    if (before) return before;
    const whole = resolve(view, file, name, site);
    const resolution = whole ? ofKind(whole, site.kind) : anyOfKind(file, name, site.kind);
    known.set(key, resolution);
    return resolution;
  };
  return (file, name, site) => {
    const found = bySyntax(file, name, site);
    return found.certainty === 'certain' ? found : (compiledMeaning(view, file, name, site) ?? found);
  };
}

/**
 * What a compiler says that a mention means. Its index may be older than the files, or of anybody: it counts only where the name is
 * defined today at the very line that it names.
 */
function compiledMeaning(
  view: GraphView,
  { uri }: GraphDocument,
  name: string,
  { kind, line, column }: Site,
): Resolution | undefined {
  const definitions = view.compiledAt(uri, line, column).flatMap((place) => {
    const document = view.documentAt(place.uri);
    const named = document ? view.definitionsNamed(name, document.id) : [];
    return named.filter((each) => each.line === place.line);
  });
  return definitions.length === 0 ? undefined : ofKind({ certainty: 'certain', definitions }, kind);
}

const typesOnly: ReadonlySet<string> = new Set(['interface', 'type', 'protocol', 'trait']);

/** Of a type and a value that share a name, the one that is meant. */
function ofKind(resolution: Resolution, kind: Site['kind']): Resolution {
  if (kind === 'import' || resolution.definitions.length < 2) return resolution;
  const isType = (definition: KeptDefinition): boolean => typesOnly.has(definition.kind);
  const meant = resolution.definitions.filter((each) => (kind === 'type') === isType(each));
  const some = meant.length > 0 ? meant : resolution.definitions;
  return resolution.certainty === 'possible' &&
    isOneThing(some) &&
    some.length < resolution.definitions.length
    ? { certainty: 'certain', definitions: some }
    : { ...resolution, definitions: some };
}

/** Undefined where it is not known whose member the name is. */
function resolve(
  view: GraphView,
  file: GraphDocument,
  name: string,
  { chain, within }: Site,
): Resolution | undefined {
  if (chain < 0) return plain(view, file, name, within);
  const path = file.chains[chain] ?? '?';
  const [, owner, steps = ''] = /^super ([^.()]+)(.*)$/.exec(path) ?? [];
  if (owner !== undefined && steps === '')
    return settled(inheritedMember(view, file, owner, name, within).definitions);
  const holder = owner === undefined ? chainIn(view, file, path, within) : undefined;
  if (holder?.isForeign) return none;
  if (holder && !isEmpty(holder)) {
    const members = memberOf(view, holder, name);
    if (members.isForeign) return none;
    if (members.definitions.length > 0) return settled(members.definitions);
    if (holder.modules.length > 0 && holder.definitions.length === 0) return none;
  }
  return undefined;
}

/** Definitions of one thing are certain: overloads, or parts of one class. */
function settled(definitions: readonly KeptDefinition[]): Resolution {
  if (definitions.length === 0) return none;
  return { certainty: isOneThing(definitions) ? 'certain' : 'possible', definitions };
}

function isOneThing(definitions: readonly KeptDefinition[]): boolean {
  const [first] = definitions;
  return definitions.every(
    ({ name, scope, document }) =>
      name === first?.name && document === first.document && scope.join('.') === first.scope.join('.'),
  );
}

function plain(view: GraphView, file: GraphDocument, name: string, within: number): Resolution {
  const { definitions } = nameIn(view, file, name, within);
  if (isStrict(file.language)) return settled(definitions);
  return definitions.length > 0 ? settled(definitions) : none;
}

/** What could be meant where it is not known whose member a name is: all members of this name. */
function membersNamed(view: GraphView, family: string, name: string): Resolution {
  const members = view.definitionsOf(name).filter((each) => {
    const other = view.document(each.document);
    return other !== undefined && familyOf(other.language) === family && isMember(view, each);
  });
  const candidates = preferred(members);
  if (candidates.length === 0) return none;
  const isOnly = isOneThing(candidates) && !isCommonMember(name);
  return { certainty: isOnly ? 'certain' : 'possible', definitions: candidates };
}

function isMember(view: GraphView, { within, scope, document, kind }: KeptDefinition): boolean {
  if (within === undefined) return scope.length > 0;
  if (kind === 'method' || kind === 'property') return true;
  const holder = view.definitionAt(document, within);
  return holder !== undefined && isContainer(holder);
}
