import { manifestFault } from '../../../../contracts/record-faults.ts';
import {
  isOwnEntry,
  isOwnFact,
  manifestColumns,
  readManifestEntry,
  writeManifestEntry,
} from '../documents/manifest.ts';
import type { Connection } from '../file/connection.ts';
import { readText, writeText } from '../layout/rows.ts';
import { type Finding, type Inspection, rowFinding } from './finding.ts';

/** Every manifest entry against the documents and chunks that are there, and every fact. */
export function* inspectManifest(connection: Connection): Inspection {
  const columns = manifestColumns.replace(/\w+/g, (name) => `m.${name}`);
  const rows = connection.each(
    `SELECT d.number IS NOT NULL AS isThere, (SELECT count(*) FROM chunks c WHERE c.document = d.number) AS found,
       ${columns} FROM manifest m LEFT JOIN documents d ON d.uri = m.uri`,
  );
  for (const row of rows) {
    const [isThere, found, ...entry] = Object.values(row);
    yield inspectEntry(connection, entry, isThere ? Number(found) : undefined);
  }
  for (const row of connection.all('SELECT name, value, proof FROM facts')) {
    if (isOwnFact(connection, row)) continue;
    const name = readText(row.name);
    yield rowFinding({ kind: 'manifest', detail: `The fact ${name} is damaged.` }, (own) =>
      own.run('DELETE FROM facts WHERE name = ?', writeText(name)),
    );
  }
}

function inspectEntry(
  connection: Connection,
  row: readonly unknown[],
  found: number | undefined,
): Finding | undefined {
  const entry = readManifestEntry(row);
  const { uri } = entry;
  // Without an entry the next run reads the file again.
  const forget = (own: Connection) => own.run('DELETE FROM manifest WHERE uri = ?', writeText(uri));
  if (!isOwnEntry(connection, row))
    return rowFinding({ kind: 'manifest', uri, detail: 'What the manifest says of it is damaged.' }, forget);
  const fault = manifestFault(entry, found);
  return (
    fault &&
    rowFinding({ ...fault, uri }, (own) =>
      fault.kind === 'count' ? writeManifestEntry(own, { ...entry, chunks: found ?? 0 }) : forget(own),
    )
  );
}
