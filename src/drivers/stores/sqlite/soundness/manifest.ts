import type { ManifestEntry } from '../../../../contracts/store.ts';
import type { Connection } from '../file/connection.ts';
import { readText, writeText } from '../layout/rows.ts';
import { type Inspection, rowFinding } from './finding.ts';
import { manifestFault } from './row-faults.ts';

/** Every manifest entry against the documents and chunks that are there. */
export function* inspectManifest(connection: Connection): Inspection {
  const rows = connection.each(
    `SELECT m.uri, m.status, m.chunks, d.number IS NOT NULL AS isThere,
       (SELECT count(*) FROM chunks c WHERE c.document = d.number) AS found
     FROM manifest m LEFT JOIN documents d ON d.uri = m.uri`,
  );
  for (const row of rows) {
    const entry = { status: row.status as ManifestEntry['status'], chunks: Number(row.chunks) };
    const found = row.isThere ? Number(row.found) : undefined;
    const fault = manifestFault(entry, found);
    const uri = readText(row.uri);
    yield fault &&
      rowFinding({ ...fault, uri }, (connection) =>
        fault.kind === 'count'
          ? connection.run('UPDATE manifest SET chunks = ? WHERE uri = ?', found ?? 0, writeText(uri))
          : // Without an entry the next run reads the file again.
            connection.run('DELETE FROM manifest WHERE uri = ?', writeText(uri)),
      );
  }
}
