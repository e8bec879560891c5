/** The schemas of one index, quoted for a statement. */
export interface Names {
  /** Locks and the list of indexes of the project. */
  readonly project: string;
  /** The tables of this index. */
  readonly index: string;
  /** The schema that the type of vectors is in. */
  readonly vector: string;
  /** Whether a search of the graph walks on until enough of what it finds passes a filter: pgvector 0.8 does. */
  readonly walksOn: boolean;
}

/** The schema of a project. */
export function projectSchema(collection: string): string {
  return `quarry/${collection}`;
}

/** The schema of one of its indexes: `quarry/handbook/index-2`. */
export function indexSchema(collection: string, index: string): string {
  return `${projectSchema(collection)}/${index}`;
}

/** A name as a statement takes it, whatever it holds. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
