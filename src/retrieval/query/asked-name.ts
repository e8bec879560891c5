const name = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:::|[.#])[\p{L}_$][\p{L}\p{N}_$]*)*[?!]?(?:\(\))?/u.source;
const kinds =
  'function|method|class|struct|type|interface|trait|enum|constant|variable|macro|module|protocol';
/** What a question is about: a name, and what it says the name is. */
const subject = `(?<article>the )?(?:(?<before>${kinds}) )?(?<name>${name})(?: (?<after>${kinds}))?`;

/** A name as code has them, alone or with its owner: `put`, `Store.put`, `Store::put` or `Store#put()`. */
const namePattern = new RegExp(`^${name}$`, 'u');
/** Who asks so asks for code, whatever the name is like. */
const codeQuestions = [
  `where(?: is|'s) ${subject} (?:defined|declared|implemented)`,
  `(?:(?:show|find|go to|open) (?:me )?)?(?:the )?(?:definition|declaration|implementation|source|signature) of ${subject}`,
  `what does ${subject} do`,
].map(whole);
/** Here only a name that prose has not means code, or one that is said to be a name of code. */
const openQuestions = [
  `where(?: is|'s) ${subject}`,
  `what(?: is|'s) ${subject}`,
  `how does ${subject} work`,
  `explain ${subject}`,
].map(whole);
/** What stands for something that was said before, or says what a name is. */
const noName = new RegExp(
  `^(?:it|this|that|these|those|they|he|she|one|everything|everyone|who|i|you|we|${kinds})$`,
  'i',
);
/** `putDocument`, `put_document`, `HTTP2`, `Store.put`, `put()`. */
const looksLikeCode = /[_$\d:.#()]|\p{Ll}\p{Lu}/u;

/** The name that a question asks for and nothing else: `where is Store.put defined?`, `what does putDocument do?`; undefined where it asks for more. */
export function askedName(text: string): string | undefined {
  const plain = text
    .replace(/[`"“”]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[ ?.!]+$/, '');
  const ofCode = groupsOf(codeQuestions, plain);
  const groups = ofCode ?? groupsOf(openQuestions, plain);
  const found = groups?.name;
  if (found === undefined || noName.test(found)) return undefined;
  const isOfCode = groups?.before ?? (ofCode && (groups?.after ?? !groups?.article));
  return isOfCode || looksLikeCode.test(found) ? found : undefined;
}

/** Whether a query is nothing but a name as code has them; a plain word in lower case is as likely one of prose. */
export function isName(text: string): boolean {
  return namePattern.test(text) && !/^\p{Ll}+$/u.test(text);
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, 'iu');
}

function groupsOf(patterns: readonly RegExp[], text: string): Partial<Record<string, string>> | undefined {
  for (const pattern of patterns) {
    const groups = pattern.exec(text)?.groups;
    if (groups) return groups;
  }
  return undefined;
}
