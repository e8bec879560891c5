/** Something that can be closed. */
export interface Closable {
  close(): Promise<void>;
}

/** Closes every part, even if one fails to close. After all have settled, the first failure is thrown. */
export async function closeAll(parts: Iterable<Closable | undefined>): Promise<void> {
  const closings = await Promise.allSettled([...parts].map(async (part) => part?.close()));
  const failed = closings.find((closing) => closing.status === 'rejected');
  if (failed) throw failed.reason;
}
