// A retriever for LlamaIndex.TS: node examples/llamaindex/main.ts
import assert from 'node:assert/strict';
import { MetadataMode } from '@llamaindex/core/schema';
import { QuarryRetriever } from 'quarry/llamaindex';
import { say, withSampleProject } from '../sample-project.ts';

await withSampleProject(async (project) => {
  const retriever = new QuarryRetriever({ project, search: { topK: 3 } });
  const found = await retriever.retrieve('How do I log errors?');
  for (const { node, score } of found)
    say(
      `${score?.toFixed(2)} ${node.metadata.citation}: ${node.getContent(MetadataMode.NONE).slice(0, 60)} …`,
    );
  assert.equal(found[0]?.node.metadata.source, 'docs/adrs/0001-structured-logging.md');
});
