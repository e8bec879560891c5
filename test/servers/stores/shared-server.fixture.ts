/** Asks the test run for a server that all test files share; it is started when the first one asks. */
export async function askSharedServer<Answer>(name: 'postgres' | 'chroma'): Promise<Answer> {
  const answer = await fetch(`${process.env.TEST_SERVERS}/${name}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text) as Answer;
}
