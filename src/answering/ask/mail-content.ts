/** A line that greets: nothing is said in it. */
const greeting =
  /^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|liebe[rs]?|sehr geehrte[rs]?|guten (?:tag|morgen)|moin|bonjour|ch[eè]re?s?|hola|estimad[oa]s?|ciao|gentile)\b.{0,60}[,!:]?$/iu;
/** A line that a letter closes with; the names below it say nothing either. */
const closing =
  /^(?:(?:best|kind|warm|many|with kind|with best)?\s*(?:regards|wishes|greetings)|best|cheers|thanks|many thanks|thank you|sincerely|yours(?: (?:sincerely|faithfully|truly))?|love|mit (?:freundlichen|besten|herzlichen) grüßen|(?:viele|liebe|beste|herzliche|schöne) grüße|gruß|lg|mfg|vg|cordialement|bien à vous|saludos|un saludo|cordiali saluti)[,.!]*$/iu;
/** What mail programs write above what they quote. */
const quotes =
  /^(?:on|am|le|el|il)\b.{5,200}(?:wrote|schrieb|a écrit|escribió|ha scritto).{0,80}:$|^-{2,}\s*(?:original message|ursprüngliche nachricht|forwarded message|weitergeleitete nachricht)/iu;
/** The line before a signature. */
const signature = /^-- ?$/;
/** Lines after a closing that are names and the like, at most. */
const maxClosingLines = 8;

/** What the writer of a mail says in it: without greeting, signature, closing, and what is quoted of other mails. */
export function withoutMailParts(text: string): string {
  let skipped = 0;
  let isInSignature = false;
  const lines = text.split('\n').map((line) => {
    const content = line.trim();
    // The next message of a passage begins with its headers.
    if (/^(?:from|date|subject|to)\s*:/i.test(content)) {
      isInSignature = false;
      skipped = 0;
      return line;
    }
    if (signature.test(line.trimEnd()) || signature.test(content)) isInSignature = true;
    if (closing.test(content)) skipped = maxClosingLines;
    if (skipped > 0) {
      skipped -= 1;
      // A postscript is said by the writer.
      if (!/^p\.?\s?s\b/i.test(content)) return '';
      skipped = 0;
    }
    const isOfOthers = content.startsWith('>') || content.startsWith('|') || quotes.test(content);
    return isInSignature || isOfOthers || greeting.test(content) ? '' : line;
  });
  return lines.join('\n');
}
