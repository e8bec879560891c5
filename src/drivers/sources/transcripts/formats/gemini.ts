import {
  type Fields,
  fieldsOf,
  listOf,
  momentOf,
  note,
  ownWords,
  type TakeRecord,
  textOf,
  textsIn,
  unknownRecord,
} from './fields.ts';

const silent = new Set(['info', 'error', 'warning', 'model_switch']);

/**
 * A record of Gemini CLI: a line of `~/.gemini/tmp/PROJECT/chats/session-….jsonl`, a whole `session-….json`, or `logs.json`, which
 * has questions alone. A message is written again whenever more of it is known, and taken back with what came after it.
 */
export const takeGemini: TakeRecord = (record, folding) => {
  if (record.$rewindTo !== undefined) {
    folding.rewound(textOf(record.$rewindTo));
    return;
  }
  const head = record.$set === undefined ? record : fieldsOf(record.$set);
  if (head !== record || (record.sessionId !== undefined && record.type === undefined)) {
    takeHead(head, folding);
    return;
  }
  const { type } = record;
  const key = textOf(record.id);
  const at = momentOf(record.timestamp);
  // What the user saw: the content has the files in it that were named.
  const content = textsIn(record.displayContent ?? record.content ?? record.message);
  if (type === 'user') folding.asked(ownWords(content), at, key);
  else if (type === 'gemini') {
    folding.said(content, key);
    for (const call of listOf(record.toolCalls)) {
      const id = textOf(call.id);
      folding.called(textOf(call.name) ?? 'tool', call.args, id);
      folding.gave(id, resultOf(call), call.status === 'error');
    }
  } else if (!silent.has(String(type))) unknownRecord(record, folding);
};

function takeHead(head: Fields, folding: Parameters<TakeRecord>[1]): void {
  note(folding, {
    id: textOf(head.sessionId),
    startedAt: momentOf(head.startTime),
    title: textOf(head.summary),
    ...(head.kind === 'subagent' && {
      leftOut: 'a sub-agent, whose result is in the session that started it',
    }),
  });
  if (!Array.isArray(head.messages)) return;
  // A list of messages is all of them.
  folding.restart();
  for (const message of listOf(head.messages)) takeGemini(message, folding);
}

function resultOf({ resultDisplay, result }: Fields): string {
  if (typeof resultDisplay === 'string') return resultDisplay;
  return listOf(result)
    .map((part) => textOf(fieldsOf(fieldsOf(part.functionResponse).response).output) ?? '')
    .join('\n');
}
