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

/** Kinds of records that say nothing to a person. */
const silent = new Set([
  'system',
  'attachment',
  'progress',
  'file-history-snapshot',
  'file-history-delta',
  'permission-mode',
  'mode',
  'last-prompt',
  'queue-operation',
  'pr-link',
  'frame-link',
  'agent-name',
  'agent-color',
  'started',
  'result',
  'worktree-state',
  'fork-context-ref',
  'tag',
  'marble-origami-commit',
  'content-replacement',
  'speculation-accept',
]);

/** A record of Claude Code: `~/.claude/projects/FOLDER/SESSION.jsonl`. */
export const takeClaudeCode: TakeRecord = (record, folding) => {
  const { type, message } = record;
  note(folding, {
    id: textOf(record.sessionId),
    folder: textOf(record.cwd),
    startedAt: momentOf(record.timestamp),
    branch: textOf(record.gitBranch),
  });
  if (record.isSidechain === true) {
    note(folding, { leftOut: 'a sub-agent, whose result is in the session that started it' });
    return;
  }
  if (type === 'user') takeUser(record, fieldsOf(message), folding);
  else if (type === 'assistant')
    for (const block of listOf(asBlocks(fieldsOf(message).content))) {
      if (block.type === 'text') folding.said(textOf(block.text) ?? '');
      if (block.type === 'tool_use')
        folding.called(String(block.name ?? 'tool'), block.input, textOf(block.id));
    }
  else if (type === 'summary') note(folding, { title: textOf(record.summary) });
  else if (type === 'custom-title')
    folding.session.facts.title = folding.clean(
      textOf(record.customTitle) ?? folding.session.facts.title ?? '',
    );
  else if (type === 'ai-title') note(folding, { title: textOf(record.aiTitle) ?? textOf(record.title) });
  else if (!silent.has(String(type))) unknownRecord(record, folding);
};

const takeUser = (record: Fields, { content }: Fields, folding: Parameters<TakeRecord>[1]): void => {
  for (const block of listOf(content))
    if (block.type === 'tool_result')
      folding.gave(textOf(block.tool_use_id), textsIn(block.content), block.is_error === true);
  if (record.isMeta === true || record.isCompactSummary === true) return;
  // A task that ended, or a prompt at a time that was set: the program wrote it, and nobody asked.
  if (record.promptSource === 'system' || fieldsOf(record.origin).kind === 'task-notification') return;
  const own = ownWords(textsIn(content));
  if (own !== '' && !/^\[Request interrupted by user/.test(own))
    folding.asked(own, momentOf(record.timestamp));
};

function asBlocks(content: unknown): unknown {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
