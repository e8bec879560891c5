import type { ChunkScore } from '../../../contracts/reranker.ts';
import { property } from '../../../platform/http/json-property.ts';
import { malformed } from '../../../platform/http/read-json.ts';
import type { Service } from '../../../platform/http/refusal.ts';
import type { RerankProtocol } from './protocols.ts';

/** The scores in an answer, after making sure that there is one good one for each chunk. */
export function scoresIn(
  answer: unknown,
  count: number,
  protocol: RerankProtocol,
  service: Service,
): readonly ChunkScore[] {
  const results = protocol.results(answer);
  if (!Array.isArray(results)) throw malformed(service, 'it has no list of results');
  if (results.length !== count) {
    throw malformed(service, `it has ${results.length} scores for ${count} chunks`);
  }
  const seen = new Set<number>();
  return results.map((result: unknown) => {
    const index = property(result, 'index');
    const score = protocol.score(result);
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
      throw malformed(service, 'a result has no index, or one that was not asked for');
    }
    if (seen.has(index)) throw malformed(service, `the index ${index} comes twice`);
    if (typeof score !== 'number' || !Number.isFinite(score)) {
      throw malformed(service, 'a score is not a number');
    }
    seen.add(index);
    return { index, score };
  });
}
