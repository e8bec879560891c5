/** Words that questions begin with, of languages that many write. */
const beginnings =
  /^(?:who|what|when|where|why|how|which|whose|is|are|was|were|do|does|did|can|could|may|should|will|wer|was|wann|wo|warum|wieso|wie|welche[rsmn]?|wozu|kann|darf|ist|sind|hat|haben|qui|que|quoi|quand|où|pourquoi|comment|combien|quel(?:le)?s?|quién|qué|cuándo|dónde|cómo|cuánto|cuál)\s+\S+\s+\S/iu;

/** Whether a query is a question that an answer may be read to. */
export function isQuestion(query: string): boolean {
  const text = query.trim();
  return /\S\s+\S.*[?？]$/u.test(text) || beginnings.test(text);
}
