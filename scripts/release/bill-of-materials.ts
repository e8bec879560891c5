import { createHash } from 'node:crypto';
import type { Carried } from './contents.ts';

/** What a bill of materials is about. */
export interface Subject {
  readonly version: string;
  /** Such as linux-x64. */
  readonly platform: string;
  /** The time of the commit it was made from, so that the same commit gives the same bill. */
  readonly time: string;
}

/** The licences of what is carried, as SPDX writes them. Another one is looked at by a person before it stands here. */
const knownLicences = ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'Unlicense'];

/** The bill of materials of one platform, as CycloneDX 1.6. Throws where a licence is not known. */
export function billOfMaterials({ version, platform, time }: Subject, carried: readonly Carried[]) {
  const components = merged(carried).map(({ parts, ...each }) => component(each, parts));
  const subject = {
    type: 'application',
    'bom-ref': `quarry@${version}`,
    name: 'quarry',
    version,
    purl: `pkg:npm/quarry@${version}`,
    licenses: [{ license: { id: 'Apache-2.0' } }],
    properties: [{ name: 'quarry:platform', value: platform }],
  };
  const references = components.map((each) => each['bom-ref']);
  const content = {
    metadata: { timestamp: time, component: subject },
    components,
    dependencies: [{ ref: subject['bom-ref'], dependsOn: references }],
  };
  const head = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: serialOf(content), version: 1 };
  return { ...head, ...content };
}

/** The address of a package in the form that scanners of weaknesses compare. */
export function packageAddress({ name, version, kind }: Pick<Carried, 'name' | 'version' | 'kind'>): string {
  return `pkg:${kind === 'model' ? 'generic' : 'npm'}/${name.replace('@', '%40')}@${version}`;
}

function component(each: Carried, parts: readonly string[]) {
  const types = { library: 'library', model: 'machine-learning-model', runtime: 'platform' };
  const algorithm = each.hash.algorithm === 'sha512' ? 'SHA-512' : 'SHA-256';
  if (!knownLicences.includes(each.licence))
    throw new Error(`${each.name} has the licence "${each.licence}", which no release carries so far.`);
  return {
    type: types[each.kind],
    'bom-ref': packageAddress(each),
    name: each.name,
    version: each.version,
    purl: packageAddress(each),
    licenses: [{ license: { id: each.licence } }],
    hashes: [{ alg: algorithm, content: each.hash.content }],
    properties: parts.map((value) => ({ name: 'quarry:part', value })),
  };
}

/** A package that is in two places is one component. */
function merged(carried: readonly Carried[]): (Carried & { readonly parts: readonly string[] })[] {
  const groups = Map.groupBy(carried, packageAddress);
  const all = [...groups.values()].map(([first, ...others]) => {
    if (!first) throw new Error('a group is never empty');
    return { ...first, parts: [...new Set([first, ...others].map(({ part }) => part))] };
  });
  return all.sort((one, other) => (packageAddress(one) < packageAddress(other) ? -1 : 1));
}

/** The standard wants a UUID: one made from the content, so that another bill has another. */
function serialOf(content: unknown): string {
  const digits = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
  ];
  return `urn:uuid:${[...parts, digits.slice(20, 32)].join('-')}`;
}
