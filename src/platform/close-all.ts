/** Something that can be closed. */
export interface Closable {
  close(): Promise<void>;
}

/** Closes every part, also where one fails to close; the first failure is thrown once all are settled. */
export async function closeAll(parts: Iterable<Closable | undefined>): Promise<void> {
  const closings = await Promise.allSettled([...parts].map(async (part) => part?.close()));
  const failed = closings.find((closing) => closing.status === 'rejected');
  if (failed) throw failed.reason;
}
