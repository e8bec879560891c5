// Retriever, document loader and vector store for LangChain.js: node examples/langchain/main.ts
import assert from 'node:assert/strict';
import type { Document } from '@langchain/core/documents';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { RunnablePassthrough, RunnableSequence } from '@langchain/core/runnables';
import { QuarryLoader, QuarryRetriever, QuarryVectorStore } from 'quarry/langchain';
import { say, withSampleProject } from '../sample-project.ts';

await withSampleProject(async (project) => {
  // A retriever is a runnable: it stands in a chain before the prompt of any model.
  const retriever = new QuarryRetriever({ project, search: { topK: 2, window: { neighbours: 1 } } });
  const quote = (documents: Document[]) =>
    documents.map(({ pageContent, metadata }) => `${metadata.citation}\n${pageContent}`).join('\n\n');
  const chain = RunnableSequence.from([
    { context: retriever.pipe(quote), question: new RunnablePassthrough<string>() },
    ChatPromptTemplate.fromTemplate('Answer from these texts:\n\n{context}\n\nQuestion: {question}'),
  ]);
  const prompt = (await chain.invoke('How do I log errors?')).toString();
  say(`\n${prompt}\n`);
  assert.match(prompt, /0001-structured-logging\.md/);

  // All documents as text, whatever their format.
  const documents = await new QuarryLoader({ project, filter: { types: ['adr'] } }).load();
  say(`${documents.length} decisions loaded, the first is ${documents[0]?.metadata.source}`);
  assert.equal(documents.length, 10);

  // A vector store: what is added is found beside the files, and can be removed again.
  const store = new QuarryVectorStore({ project });
  const [id = ''] = await store.addDocuments([
    { pageContent: 'The canteen serves lentil soup on Thursdays.', metadata: { kitchen: { open: true } } },
  ]);
  const [best] = await store.similaritySearchWithScore('what is for lunch on Thursday?', 1);
  say(`${best?.[0].pageContent} (relevance ${best?.[1].toFixed(2)})`);
  assert.deepEqual(best?.[0].metadata.kitchen, { open: true });
  await store.delete({ ids: [id] });
  assert.deepEqual(await store.similaritySearch('lentil soup', 1), []);
});
