/** The subject of a conversation: without what answers put before it. */
export function conversation(subject: string): string {
  return subject.replace(/^(?:\s*(?:re|aw|fwd?|wg|sv|antw)\s*(?:\[\d+\])?\s*:)+/i, '').trim();
}
