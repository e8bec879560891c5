/** Characters of a body that say what a message is about; what follows is often quoted, or a signature. */
const bodyCharacters = 200;

/** What memory is asked when a message arrives: its subject and the beginning of its body. */
export function arrivalQuery(subject: string, body: string): string {
  // Whole characters: half of a surrogate pair is none.
  const beginning = Array.from(body.slice(0, 2 * bodyCharacters))
    .slice(0, bodyCharacters)
    .join('');
  return [subject, beginning]
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '')
    .join(': ');
}
