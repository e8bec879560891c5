import type { ManifestEntry } from '../../../../contracts/store.ts';
import type { Connection } from '../file/connection.ts';
import { readText, writeText } from '../layout/rows.ts';
import type { Cure, Inspection } from './finding.ts';
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
    if (fault) yield { defect: { ...fault, uri }, cure: manifestCure(uri, fault.kind, found) };
    else yield undefined;
  }
}

function manifestCure(uri: string, kind: 'orphan' | 'count' | 'manifest', chunks: number | undefined): Cure {
  return {
    step: 'rows',
    apply: (connection) => {
      if (kind === 'count') {
        connection.run('UPDATE manifest SET chunks = ? WHERE uri = ?', chunks ?? 0, writeText(uri));
      } else {
        // Without an entry the next run reads the file again.
        connection.run('DELETE FROM manifest WHERE uri = ?', writeText(uri));
      }
    },
  };
}
