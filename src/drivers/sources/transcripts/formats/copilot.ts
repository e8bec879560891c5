import {
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

/** An event of Copilot CLI: `~/.copilot/session-state/SESSION/events.jsonl`. */
export const takeCopilot: TakeRecord = (record, folding) => {
  const { type } = record;
  const data = fieldsOf(record.data);
  // What a sub-agent says is in the result of the call that started it.
  if (textOf(data.parentToolCallId) !== undefined || textOf(record.agentId) !== undefined) return;
  const key = textOf(data.toolCallId);
  switch (type) {
    case 'session.start':
    case 'session.resume':
    case 'session.context_changed': {
      const context = fieldsOf(data.context);
      note(folding, {
        id: textOf(data.sessionId),
        startedAt: momentOf(data.startTime ?? record.timestamp),
        folder: textOf(context.cwd) ?? textOf(data.cwd),
        branch: textOf(context.branch),
      });
      return;
    }
    case 'session.title_changed':
      note(folding, { title: textOf(data.title) });
      return;
    case 'user.message':
      // Skills and the program put texts of their own before the model in the same way.
      if (textOf(data.source) !== undefined && data.source !== 'user') return;
      folding.asked(ownWords(textsIn(data.content)), momentOf(record.timestamp));
      return;
    case 'assistant.message':
      folding.said(textsIn(data.content));
      for (const call of listOf(data.toolRequests))
        folding.called(textOf(call.name) ?? 'tool', call.arguments, textOf(call.toolCallId));
      return;
    case 'tool.execution_start':
      folding.called(textOf(data.toolName) ?? 'tool', data.arguments ?? data.toolInput, key);
      return;
    case 'tool.execution_complete': {
      const result = fieldsOf(data.result);
      const failure = textOf(fieldsOf(data.error).message) ?? textOf(data.error);
      const output = textOf(data.result) ?? textOf(result.content) ?? textsIn(result.content);
      folding.gave(key, failure ?? output, data.success === false);
      return;
    }
    default:
      if (
        !/^(?:session|assistant|tool|subagent|system|hook|abort|user|skill|permission)\b/.test(String(type))
      )
        unknownRecord(record, folding);
  }
};
