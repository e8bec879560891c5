/** What one says in a conversation, as it is shown. */
export interface ChatPart {
  /** Empty where the text begins within what somebody says. */
  readonly who: string;
  /** A day or a time; empty where neither is said. */
  readonly when: string;
  readonly text: string;
  /** Calls of tools with their first lines. */
  readonly tools: readonly string[];
  /** The line above a sitting or a conversation, where this part begins one. */
  readonly above: string;
}

const message = /^(\d\d:\d\d) ([^\n:]{1,80}): ([\s\S]*)$/;
const notice = /^(\d\d:\d\d) (\([\s\S]*\))$/;
const turn = /^(You|Claude|ChatGPT|Codex|Gemini|Copilot)(?:, (\d{4}-\d\d-\d\d))?: ([\s\S]*)$/;
const tool = /^\[[^\]\n]{1,60}\]/;
const sitting = /^(?:#\S{1,80}|\d{4}-\d\d-\d\d)(?:, [^\n]{1,200})?$/;

/** Whether a text is a conversation: it begins as one, or with the line above one. */
export function isChat(text: string): boolean {
  const [first = '', second = ''] = text.slice(0, 4000).trimStart().split(/\n\n/);
  const begins = (part: string): boolean => message.test(part) || notice.test(part) || turn.test(part);
  return (
    begins(first) || (!first.includes('\n') && begins(second) && (sitting.test(first) || turn.test(second)))
  );
}

/** The parts of a conversation, one for each time that somebody speaks. */
export function chatParts(text: string): ChatPart[] {
  const parts: { who: string; when: string; text: string; tools: string[]; above: string }[] = [];
  let above = '';
  for (const section of text.split('\f'))
    for (const [index, paragraph] of section
      .trim()
      .split(/\n{2,}/)
      .entries()) {
      const [, when = '', who = '', said = ''] = message.exec(paragraph) ?? [];
      const [, speaker = '', day = '', words = ''] = turn.exec(paragraph) ?? [];
      const last = parts.at(-1);
      if (who !== '') parts.push({ who, when, text: said, tools: [], above });
      else if (speaker !== '') parts.push({ who: speaker, when: day, text: words, tools: [], above });
      else if (index === 0 && sitting.test(paragraph)) {
        above = paragraph;
        continue;
      } else if (tool.test(paragraph) && last) last.tools.push(paragraph);
      else if (index > 0 && last && !notice.test(paragraph)) last.text += `\n\n${paragraph}`;
      else if (paragraph !== '') parts.push({ who: '', when: '', text: paragraph, tools: [], above });
      above = '';
    }
  return parts;
}
