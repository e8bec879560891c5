import {
  type Fields,
  fieldsOf,
  momentOf,
  note,
  ownWords,
  type TakeRecord,
  textOf,
  textsIn,
  unknownRecord,
} from './fields.ts';

const silent = new Set([
  'reasoning',
  'compacted',
  'ghost_snapshot',
  'world_state',
  'inter_agent_communication',
  'web_search_call',
  'tool_search_call',
  'tool_search_output',
  'image_generation_call',
  'compaction',
  'context_compaction',
  'other',
]);

/** A record of Codex: `~/.codex/sessions/2026/03/01/rollout-….jsonl`, of today or of before records had a payload. */
export const takeCodex: TakeRecord = (record, folding) => {
  const { type } = record;
  const payload = record.payload === undefined ? record : fieldsOf(record.payload);
  if (type === 'session_meta' || (type === undefined && textOf(record.id) !== undefined)) {
    const { source } = payload;
    note(folding, {
      id: textOf(payload.id) ?? textOf(payload.session_id),
      folder: textOf(payload.cwd),
      startedAt: momentOf(payload.timestamp ?? record.timestamp),
      branch: textOf(fieldsOf(payload.git).branch),
      ...(('subagent' in fieldsOf(source) || payload.thread_source === 'subagent') && {
        leftOut: 'a sub-agent, whose result is in the session that started it',
      }),
    });
    return;
  }
  const at = momentOf(record.timestamp);
  if (type === 'turn_context') {
    note(folding, { folder: textOf(payload.cwd) });
    return;
  }
  if (type === 'event_msg') takeEvent(payload, at, folding);
  else takeItem(payload, at, folding);
};

function takeEvent(
  { type, message }: Fields,
  at: number | undefined,
  folding: Parameters<TakeRecord>[1],
): void {
  if (type === 'user_message') folding.asked(ownWords(textOf(message) ?? ''), at);
  if (type === 'agent_message') folding.said(textOf(message) ?? '');
}

function takeItem(item: Fields, at: number | undefined, folding: Parameters<TakeRecord>[1]): void {
  const { type, role } = item;
  const key = textOf(item.call_id) ?? textOf(item.id);
  switch (type) {
    case 'message': {
      const text = textsIn(item.content, ['input_text', 'output_text', 'text']);
      if (role === 'user') {
        note(folding, { folder: folderIn(text) });
        folding.asked(ownWords(text), at);
      } else if (role === 'assistant') folding.said(text);
      return;
    }
    case 'function_call':
      folding.called(String(item.name ?? 'tool'), item.arguments, key);
      return;
    case 'custom_tool_call':
      folding.called(String(item.name ?? 'tool'), patchedFiles(item.input), key);
      return;
    case 'local_shell_call':
      folding.called('shell', fieldsOf(item.action).command, key);
      return;
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output': {
      const { output, isError } = outputOf(item.output);
      folding.gave(key, output, isError);
      return;
    }
    default:
      if (!silent.has(String(type))) unknownRecord(item, folding);
  }
}

/** What stands above the output of a command: its number, time and exit code. */
const heading =
  /^(?:(?:Command|Chunk ID|Exit code|Wall time|Process (?:exited|running)|Original token count|Total output lines)\b[^\n]{0,2000}\n){1,8}Output:\n/;

/** The output of a tool is a text, a text of JSON, or blocks. */
function outputOf(written: unknown): { output: string; isError: boolean } {
  if (typeof written !== 'string') {
    const { content, success } = fieldsOf(written);
    return {
      output: textsIn(content ?? written, ['input_text', 'output_text', 'text']),
      isError: success === false,
    };
  }
  const said =
    /^\{"(?:output|metadata)"/.test(written) && written.length < 4_000_000 ? parsed(written) : undefined;
  const output = (textOf(said?.output) ?? written).replace(heading, '');
  const code = Number(
    fieldsOf(said?.metadata).exit_code ??
      /^(?:Exit code|Process exited with code):? (\d+)/m.exec(written.slice(0, 400))?.[1] ??
      0,
  );
  return { output, isError: code !== 0 };
}

function parsed(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    // Text that is no JSON is shown as the text that it is.
    return undefined;
  }
}

/** The files of a patch say what it was for; its lines are in them. */
function patchedFiles(input: unknown): unknown {
  if (typeof input !== 'string' || !input.startsWith('*** Begin Patch')) return input;
  return [...input.slice(0, 200_000).matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.{1,300})$/gm)]
    .map(([, file]) => file)
    .slice(0, 10);
}

/** Older versions say the folder only to the model. */
function folderIn(text: string): string | undefined {
  if (!/^<environment_context>/.test(text.trimStart().slice(0, 40))) return undefined;
  return (/<cwd>([^<\n]{1,1000})<\/cwd>/.exec(text) ??
    /Current working directory: ([^\n<]{1,1000})/.exec(text))?.[1]?.trim();
}
