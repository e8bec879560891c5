import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { CodeDefinition, CodeImport, FileGraph } from '../../core/code-graph.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { packDetail, unpackDetail } from './definition-detail.ts';
import { packMentions, type Site, sitesOf, unpackMentions, unpackSites } from './sites.ts';

/** The graph of one file, and the content that it was read from. */
export interface GraphEntry {
  readonly uri: string;
  readonly hash: string;
  readonly graph: FileGraph;
}

/** Which file is kept, and what it was read from. */
export interface GraphVersion {
  readonly id: number;
  readonly uri: string;
  readonly language: string;
  readonly hash: string;
  readonly recipe: string;
}

/** What a file says besides its definitions and mentions. */
export interface GraphContents {
  readonly imports: readonly CodeImport[];
  readonly chains: readonly string[];
  readonly gap?: string;
}

/** A file as the graph holds it. */
export interface GraphDocument extends Pick<GraphVersion, 'id' | 'uri' | 'language'> {
  readonly imports: readonly CodeImport[];
  readonly chains: readonly string[];
  readonly gap?: string | undefined;
}

/** A definition, with its file and its position in it. */
export interface KeptDefinition extends CodeDefinition {
  readonly document: number;
  readonly position: number;
}

/** All mentions of one name in one file. */
export interface Mentions {
  readonly name: string;
  readonly document: number;
  readonly sites: readonly Site[];
}

/** Reads and writes the tables of a graph. */
export interface GraphRows {
  /** Puts files in place of what was known of them, in one step. */
  put(entries: readonly GraphEntry[], recipe: string): void;
  remove(ids: readonly number[]): void;
  /** What there is of each file, by uri. */
  versions(): Map<string, GraphVersion>;
  /** A number that changes when another connection has written. */
  dataVersion(): number;
  /** What a file says besides its definitions and mentions. */
  contents(id: number): GraphContents;
  /** Files whose name, without folder and extension, is this. */
  documentsOfStem(stem: string): { readonly id: number; readonly uri: string }[];
  /** Files whose folder has this name. */
  filesInFolder(name: string): { readonly id: number; readonly uri: string }[];
  definitionsIn(document: number): KeptDefinition[];
  /** The definition at a position of a file. */
  definitionAt(document: number, position: number): KeptDefinition | undefined;
  definitionsOf(name: string): KeptDefinition[];
  mentionsOf(name: string): Mentions[];
  mentionsIn(document: number): Mentions[];
  /** The names that files give to what they import under this one. */
  aliasesOf(name: string): { readonly local: string; readonly document: number }[];
  /** Names that have a definition, each with how many; of so many letters alone, where that is said. */
  definedNames(
    lengths?: readonly [min: number, max: number],
  ): { readonly name: string; readonly count: number }[];
}

/** The name of a file without its folder and what follows the first dot: by it, imports are looked up. */
export function stemOf(uri: string): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  return name.replace(/(?<=.)\..*$/, '').toLowerCase();
}

/** The name of the folder that a file lies in. */
export function folderOf(uri: string): string {
  return uri.split('/').at(-2) ?? '';
}

/** The tables of an open file. */
export function graphRows(database: DatabaseSync): GraphRows {
  const statements = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    const known = statements.get(text) ?? database.prepare(text);
    statements.set(text, known);
    return known;
  };
  const nameIds = new Map<string, number>();
  const idOf = (name: string): number => {
    const known = nameIds.get(name);
    if (known !== undefined) return known;
    const made = sql('INSERT INTO names (name) VALUES (?) ON CONFLICT DO NOTHING').run(name);
    const id = Number(
      made.changes === 0 ? sql('SELECT id FROM names WHERE name = ?').get(name)?.id : made.lastInsertRowid,
    );
    if (nameIds.size < 200_000) nameIds.set(name, id);
    return id;
  };
  const mentionsOfDocument = (id: number): Uint8Array =>
    (sql('SELECT mentions FROM documents WHERE id = ?').get(id)?.mentions as Uint8Array | undefined) ??
    new Uint8Array();
  const removeOne = (id: number): void => {
    for (const [name] of unpackMentions(mentionsOfDocument(id)))
      sql('DELETE FROM mentions WHERE name = ? AND document = ?').run(name, id);
    for (const table of ['definitions', 'aliases']) sql(`DELETE FROM ${table} WHERE document = ?`).run(id);
    sql('DELETE FROM documents WHERE id = ?').run(id);
  };
  const putOne = ({ uri, hash, graph }: GraphEntry, recipe: string): void => {
    const before = sql('SELECT id FROM documents WHERE uri = ?').get(uri);
    if (before) removeOne(Number(before.id));
    const chains = [...new Set(graph.references.flatMap(({ via }) => via ?? []))];
    const chainOf = new Map(chains.map((chain, position) => [chain, position]));
    const byName = new Map<number, Site[]>();
    for (const { name, kind, line, column, within = -1, via } of graph.references) {
      const id = idOf(name);
      const sites = byName.get(id) ?? [];
      if (sites.length === 0) byName.set(id, sites);
      sites.push({ kind, line, column, within, chain: via === undefined ? -1 : (chainOf.get(via) ?? -1) });
    }
    const { lastInsertRowid: id } = sql(
      'INSERT INTO documents (uri, hash, recipe, language, stem, folder, further, gap, mentions) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(
      uri,
      hash,
      recipe,
      graph.language,
      stemOf(uri),
      folderOf(uri),
      packFurther([graph.imports.map(importRow), chains]),
      graph.gap ?? null,
      packMentions(byName),
    );
    const define = sql('INSERT INTO definitions VALUES (?, ?, ?, ?)');
    for (const [position, definition] of graph.definitions.entries())
      define.run(id, position, idOf(definition.name), packDetail(definition));
    const rename = sql('INSERT INTO aliases VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
    for (const { name, local } of graph.imports)
      if (name !== local && name !== '*' && local !== '*') rename.run(name, local, id);
    const mention = sql('INSERT INTO mentions VALUES (?, ?)');
    // In the order of the key, so that neighbours are written to the same page.
    for (const name of [...byName.keys()].sort((one, other) => one - other)) mention.run(name, id);
  };
  const written = (work: () => void): void => {
    try {
      inTransaction(database, 'immediate', work);
    } catch (thrown) {
      // Names that were taken back with the rest have no numbers any more.
      nameIds.clear();
      throw thrown;
    }
  };
  return {
    put: (entries, recipe) =>
      written(() => {
        for (const entry of entries) putOne(entry, recipe);
      }),
    remove: (ids) =>
      written(() => {
        for (const id of ids) removeOne(id);
      }),
    versions: () =>
      new Map(
        sql('SELECT id, uri, language, hash, recipe FROM documents')
          .all()
          .map((row) => [
            String(row.uri),
            {
              id: Number(row.id),
              uri: String(row.uri),
              language: String(row.language),
              hash: String(row.hash),
              recipe: String(row.recipe),
            },
          ]),
      ),
    dataVersion: () => Number(sql('PRAGMA data_version').get()?.data_version),
    contents: (id) => contentsOf(sql('SELECT further, gap FROM documents WHERE id = ?').get(id)),
    documentsOfStem: (stem) =>
      sql('SELECT id, uri FROM documents WHERE stem = ?')
        .all(stem)
        .map(({ id, uri }) => ({ id: Number(id), uri: String(uri) })),
    filesInFolder: (name) =>
      sql('SELECT id, uri FROM documents WHERE folder = ?')
        .all(name)
        .map(({ id, uri }) => ({ id: Number(id), uri: String(uri) })),
    definitionsIn: (document) =>
      sql(`${definitionColumns} WHERE document = ? ORDER BY position`).all(document).flatMap(definitionOf),
    definitionAt: (document, position) => {
      const row = sql(`${definitionColumns} WHERE document = ? AND position = ?`).get(document, position);
      return row && definitionOf(row)[0];
    },
    definitionsOf: (name) =>
      sql(`${definitionColumns} WHERE definitions.name = (SELECT id FROM names WHERE name = ?) LIMIT 5000`)
        .all(name)
        .flatMap(definitionOf),
    mentionsOf: (name) => {
      const wanted = sql('SELECT id FROM names WHERE name = ?').get(name)?.id;
      if (wanted === undefined) return [];
      const found = sql(
        'SELECT documents.id, documents.mentions FROM mentions JOIN documents ON documents.id = mentions.document WHERE mentions.name = ?',
      ).all(wanted);
      return found.flatMap(({ id: document, mentions }) => {
        const sites = sitesOf(mentions as Uint8Array, Number(wanted));
        return sites ? [{ name, document: Number(document), sites: unpackSites(sites) }] : [];
      });
    },
    mentionsIn: (document) =>
      [...unpackMentions(mentionsOfDocument(document))].map(([id, sites]) => ({
        name: String(sql('SELECT name FROM names WHERE id = ?').get(id)?.name),
        document,
        sites: unpackSites(sites),
      })),
    aliasesOf: (name) =>
      sql('SELECT local, document FROM aliases WHERE name = ?')
        .all(name)
        .map(({ local, document }) => ({ local: String(local), document: Number(document) })),
    definedNames: ([min, max] = [0, Number.MAX_SAFE_INTEGER]) =>
      sql(
        'SELECT names.name AS name, count(*) AS count FROM definitions JOIN names ON names.id = definitions.name WHERE length(names.name) BETWEEN ? AND ? GROUP BY definitions.name',
      )
        .all(min, max)
        .map(({ name, count }) => ({ name: String(name), count: Number(count) })),
  };
}

const definitionColumns =
  'SELECT document, position, names.name AS name, detail FROM definitions JOIN names ON names.id = definitions.name';

type Row = Readonly<Record<string, unknown>>;

/** An import: where from, the name there and, where it is another one, the name here. */
type ImportRow = readonly [from: string, name: string, local?: string];

function importRow({ from, name, local }: CodeImport): ImportRow {
  return name === local ? [from, name] : [from, name, local];
}

type Further = readonly [imports: readonly ImportRow[], chains: readonly string[]];

function packFurther(further: Further): Uint8Array {
  // The quickest way: what it saves is what is said again and again.
  return deflateRawSync(JSON.stringify(further), { level: 1 });
}

function unpackFurther(bytes: Uint8Array): Further {
  return JSON.parse(inflateRawSync(bytes).toString()) as Further; // Only this user's own Quarry writes the file.
}

function importOf([from, name, local = name]: ImportRow): CodeImport {
  return { from, name, local };
}

function contentsOf(row: Row | undefined): GraphContents {
  if (!row) return { imports: [], chains: [] };
  const [imports, chains] = unpackFurther(row.further as Uint8Array); // The layout has bytes there.
  return { imports: imports.map(importOf), chains, ...(row.gap !== null && { gap: String(row.gap) }) };
}

function definitionOf({ document, position, name, detail }: Row): KeptDefinition[] {
  return [
    {
      document: Number(document),
      position: Number(position),
      name: String(name),
      ...unpackDetail(detail as Uint8Array), // The layout has bytes there.
    },
  ];
}
