import type { Extraction } from '../../../contracts/extractor.ts';
import type { ReplyPart, Turn } from '../../../core/documents/conversation.ts';
import { folded } from '../../../core/text/folded.ts';
import { beginningOf } from '../../../core/text/shortened.ts';
import type { Deadline } from '../bounds.ts';
import { type AssistantChat, turnsExtraction } from './chat-text.ts';
import { elementValue, jsonElements } from './json-elements.ts';

type Fields = Readonly<Record<string, unknown>>;
/** Who an export is of. */
export type Assistant = 'ChatGPT' | 'Claude';

/** A message of a conversation with an assistant, in order. */
interface Said {
  readonly by: 'user' | 'assistant' | 'tool';
  readonly at?: number | undefined;
  readonly text: string;
}

/** Characters of all conversations that are kept at most, the newest first. */
const maxCharacters = 12_000_000;
const foldedTool = { characters: 400, lines: 3 };

/** Whose conversations a file holds, by the shape of its first one; undefined where it holds something else. */
export function assistantOf(bytes: Uint8Array): Assistant | undefined {
  const first = jsonElements(bytes).next();
  if (first.done) return undefined;
  const value = fieldsOf(elementValue(first.value));
  if (Array.isArray(value.chat_messages) && typeof value.uuid === 'string') return 'Claude';
  const nodes = Object.values(fieldsOf(value.mapping)).slice(0, 20).map(fieldsOf);
  const areNodes = nodes.length > 0 && nodes.every((node) => Array.isArray(node.children));
  return areNodes && 'title' in value && nodes.some((node) => 'message' in node) ? 'ChatGPT' : undefined;
}

/** Every conversation of an export, oldest first. */
export function readAssistantExport(bytes: Uint8Array, assistant: Assistant, deadline: Deadline): Extraction {
  const chats: { readonly chat: AssistantChat; readonly at: number }[] = [];
  let unknown = 0;
  const elements = jsonElements(bytes);
  let step = elements.next();
  for (; !step.done && !deadline.passed(); step = elements.next()) {
    const value = fieldsOf(elementValue(step.value));
    const said = assistant === 'Claude' ? claudeMessages(value) : chatGptMessages(value);
    if (!said) {
      unknown += 1;
      continue;
    }
    const turns = turnsOf(said);
    const title = beginningOf(String((assistant === 'Claude' ? value.name : value.title) ?? ''), 200);
    if (turns.length > 0)
      chats.push({ chat: { title, turns }, at: turns.find(({ at }) => at !== undefined)?.at ?? 0 });
  }
  chats.sort((one, other) => one.at - other.at);
  const { kept, left } = newest(chats.map(({ chat }) => chat));
  return turnsExtraction(kept, assistant, { assistant }, [
    unknown > 0 && `${unknown} records are not conversations`,
    left > 0 && `the oldest ${left} conversations left out: too much text`,
    step.done ? !step.value && 'the file ends in the middle of a conversation' : 'too slow to be read whole',
  ]);
}

function newest(chats: readonly AssistantChat[]): { kept: AssistantChat[]; left: number } {
  let room = maxCharacters;
  const sizes = chats.map(({ turns }) =>
    turns.reduce(
      (sum, { prompt, reply }) => sum + prompt.length + reply.reduce((all, { text }) => all + text.length, 0),
      0,
    ),
  );
  let first = chats.length;
  while (first > 0 && room - (sizes[first - 1] ?? 0) >= 0) {
    first -= 1;
    room -= sizes[first] ?? 0;
  }
  return { kept: chats.slice(first), left: first };
}

/** Turns from messages: a question, and everything until the next one. */
export function turnsOf(messages: readonly Said[]): Turn[] {
  const turns: { at: number | undefined; prompt: string; reply: ReplyPart[] }[] = [];
  for (const { by, at, text } of messages) {
    if (text.trim() === '') continue;
    const last = turns.at(-1);
    if (by === 'user' && last && last.reply.length === 0) last.prompt += `\n\n${text}`;
    else if (by === 'user' || !last) turns.push({ at, prompt: by === 'user' ? text : '', reply: [] });
    if (by !== 'user') turns.at(-1)?.reply.push({ kind: by === 'tool' ? 'tool' : 'said', text });
  }
  return turns;
}

function claudeMessages({ chat_messages }: Fields): Said[] | undefined {
  if (!Array.isArray(chat_messages)) return undefined;
  return chat_messages.flatMap((message): Said[] => {
    const { sender, created_at, text, content, attachments } = fieldsOf(message);
    const at = momentOf(created_at);
    const by = sender === 'human' ? 'user' : 'assistant';
    const blocks = listOf(content).flatMap((block): Said[] => {
      if (block.type === 'text' && typeof block.text === 'string') return [{ by, at, text: block.text }];
      if (block.type === 'tool_use') return [{ by: 'tool', at, text: `[${String(block.name)}]` }];
      return [];
    });
    const said = blocks.length > 0 || typeof text !== 'string' ? blocks : [{ by, at, text } as const];
    const attached = listOf(attachments).map(({ file_name, extracted_content }): Said => {
      const inside =
        typeof extracted_content === 'string' ? `\n${folded(extracted_content, foldedTool)}` : '';
      return { by, at, text: `[file: ${String(file_name ?? '')}]${inside}` };
    });
    return [...said, ...attached];
  });
}

/** The branch of a conversation that was shown last: answers that were asked for again are left out. */
function chatGptMessages({ mapping, current_node }: Fields): Said[] | undefined {
  const nodes = fieldsOf(mapping);
  if (Object.keys(nodes).length === 0) return undefined;
  const branch: Fields[] = [];
  const met = new Set<unknown>();
  const leaf =
    typeof current_node === 'string' && Object.hasOwn(nodes, current_node) ? current_node : newestLeaf(nodes);
  for (let id: unknown = leaf; typeof id === 'string' && Object.hasOwn(nodes, id) && !met.has(id); ) {
    met.add(id);
    const node = fieldsOf(nodes[id]);
    branch.push(fieldsOf(node.message));
    id = node.parent;
  }
  return branch.reverse().flatMap(chatGptMessage);
}

function newestLeaf(nodes: Fields): string | undefined {
  const leaves = Object.entries(nodes).filter(([, node]) => listLength(fieldsOf(node).children) === 0);
  const time = (node: unknown) => Number(fieldsOf(fieldsOf(node).message).create_time ?? 0);
  return leaves.sort(([, one], [, other]) => time(other) - time(one))[0]?.[0];
}

function chatGptMessage({ author, create_time, content, metadata, recipient }: Fields): Said[] {
  const { role, name } = fieldsOf(author);
  if (fieldsOf(metadata).is_visually_hidden_from_conversation === true) return [];
  if (role !== 'user' && role !== 'assistant' && role !== 'tool') return [];
  const { content_type, parts, text } = fieldsOf(content);
  if (
    content_type === 'thoughts' ||
    content_type === 'reasoning_recap' ||
    content_type === 'user_editable_context'
  )
    return [];
  const said = Array.isArray(parts) ? partsText(parts) : String(text ?? '');
  const at =
    typeof create_time === 'number' && Math.abs(create_time) <= 8.64e12
      ? Math.round(create_time * 1000)
      : undefined;
  if (said.trim() === '') return [];
  if (role === 'tool') return [{ by: 'tool', at, text: toolText(name, said) }];
  // What is not said to everybody is what a tool is called with.
  const isCall = role === 'assistant' && typeof recipient === 'string' && recipient !== 'all';
  return [isCall ? { by: 'tool', at, text: toolText(recipient, said) } : { by: role, at, text: said }];
}

/** What a tool was given, or gave, as it is shown of agents: never as words of the assistant. */
function toolText(name: unknown, said: string): string {
  const lines = folded(said, foldedTool).replace(/^/gm, '> ');
  return `[${beginningOf(String(name || 'tool'), 40).replace(/[\]\s]+/g, ' ')}]\n${lines}`;
}

/** Texts before pictures: the first words name the turn. */
function partsText(parts: readonly unknown[]): string {
  const texts = parts.filter((part) => typeof part === 'string');
  const others = parts.filter((part) => typeof part !== 'string').map(partName);
  return [...texts, ...others].filter((text) => text !== '').join('\n');
}

function partName(part: unknown): string {
  const kind = String(fieldsOf(part).content_type ?? '');
  return kind.includes('image') ? '[image]' : kind.includes('audio') ? '[audio]' : '';
}

function momentOf(written: unknown): number | undefined {
  const at = typeof written === 'string' ? Date.parse(written) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function listLength(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
