/** What begins a message of a chat, a question to an assistant, or its answer. */
const starts =
  /^(?=\d\d:\d\d (?:\(|[^\n:]{1,80}: )|You(?:, \d{4}-\d\d-\d\d)?: |(?:Claude|ChatGPT|Codex|Gemini|Copilot): )/m;
/** The line above a sitting: its channel, its day, its thread. */
const sitting = /^(?:#\S{1,80}|\d{4}-\d\d-\d\d)(?:, [^\n]{1,200})?$/;
/** Longest message that is read as one, in characters. */
const maxLength = 400;

/** What stands in a conversation: messages that are quoted whole, and longer texts of which sentences are. */
export interface ChatContent {
  readonly whole: readonly string[];
  readonly rest: string;
}

/** Messages of people are short, and say what they are about in one of their sentences and the rest in the next. */
export function chatContent(text: string): ChatContent {
  const whole: string[] = [];
  const rest: string[] = [];
  for (const part of text.split(/\f|\n{2,}/).flatMap((paragraph) => paragraph.trim().split(starts))) {
    const said = part.trim();
    if (said === '' || sitting.test(said) || /^\[[^\]\n]{1,60}\]/.test(said) || said.startsWith('> '))
      continue;
    if (said.length <= maxLength && !said.includes('\n') && starts.test(said)) whole.push(said);
    else rest.push(said);
  }
  return { whole, rest: rest.join('\n\n') };
}
