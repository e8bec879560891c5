import { expect, test } from 'vitest';
import { transcriptAgents } from '../agents.ts';
import { createFolding, emptySession, type FoldedSession } from '../folding.ts';

/** What is kept of these records. */
function folded(name: string, records: readonly object[], redact = (text: string) => text): FoldedSession {
  const session = emptySession();
  const folding = createFolding(session, redact);
  const agent = transcriptAgents.find((one) => one.name === name);
  for (const record of records) agent?.take({ ...record }, folding);
  return session;
}

/** The questions of a session, each with what was answered. */
const turnsOf = ({ turns }: FoldedSession) =>
  turns.map(({ prompt, reply }) => [prompt, ...reply.map(({ text }) => text)]);

test('what Claude Code tells itself, of tasks that ended and prompts at a set time, is no question', () => {
  const user = (content: unknown, more: object) => ({
    type: 'user',
    parentUuid: 'p',
    isSidechain: false,
    sessionId: 's',
    cwd: '/w',
    message: { role: 'user', content },
    ...more,
  });
  const session = folded('claude', [
    user('Mend the ferry timetable', { origin: { kind: 'human' }, promptSource: 'typed' }),
    user('<task-notification>the build has ended</task-notification>', { promptSource: 'system' }),
    user('Seven agents were stopped', { origin: { kind: 'task-notification' } }),
    user('<task-notification>of an older version</task-notification>', {}),
    user('Look at the harbour again', { promptSource: 'system', isMeta: true, turnOrigin: 'scheduled' }),
    user([{ type: 'image' }, { type: 'text', text: 'And the quay' }], { promptSource: 'typed' }),
  ]);
  expect(turnsOf(session)).toEqual([['Mend the ferry timetable'], ['And the quay']]);
  expect(session.unknown).toBe(0);
});

test('titles and branches are without secrets', () => {
  const redact = (text: string) => text.replaceAll('hunter2', '*');
  const titleOf = (name: string, record: object) => folded(name, [record], redact).facts.title;
  expect(titleOf('claude', { type: 'ai-title', aiTitle: 'Try hunter2' })).toBe('Try *');
  expect(titleOf('claude', { type: 'summary', summary: 'Try hunter2' })).toBe('Try *');
  expect(titleOf('claude', { type: 'custom-title', customTitle: 'Try hunter2' })).toBe('Try *');
  expect(titleOf('copilot', { type: 'session.title_changed', data: { title: 'Try hunter2' } })).toBe('Try *');
  expect(titleOf('gemini', { $set: { summary: 'Try hunter2' } })).toBe('Try *');
  const branch = { type: 'session_meta', payload: { id: 'a', git: { branch: 'fix/hunter2' } } };
  expect(folded('codex', [branch], redact).facts.branch).toBe('fix/*');
});

test('a session keeps its newest turns and of one long turn its newest parts, within bounds', () => {
  const session = emptySession();
  const folding = createFolding(session, (text) => text);
  for (let at = 0; at < 20_050; at += 1) folding.asked(`question ${at}`, undefined);
  expect([session.turns.length, session.dropped, session.turns.at(-1)?.prompt]).toEqual([
    20_000,
    50,
    'question 20049',
  ]);
  for (let at = 0; at < 20_050; at += 1) folding.said(`answer ${at}`);
  const reply = session.turns.at(-1)?.reply ?? [];
  expect([reply.length, reply.at(-1)?.text]).toEqual([20_000, 'answer 20049']);
});

test('a thread that Codex began for another one is left out, however it says so; the folder may stand in a turn', () => {
  const meta = (payload: object) => ({ timestamp: '2026-01-02T03:04:05Z', type: 'session_meta', payload });
  const leftOut = (payload: object) =>
    folded('codex', [meta({ id: 'a', cwd: '/w', ...payload })]).facts.leftOut;
  expect(leftOut({ source: 'cli', thread_source: 'user' })).toBeUndefined();
  expect(leftOut({ thread_source: 'subagent' })).toMatch(/sub-agent/);
  expect(leftOut({ source: { subagent: 'review' } })).toMatch(/sub-agent/);
  const session = folded('codex', [
    meta({ session_id: 'of-today' }),
    { type: 'turn_context', payload: { cwd: '/w/api', model: 'm', approval_policy: 'never' } },
    { type: 'event_msg', payload: { type: 'user_message', message: 'List the files.' } },
    { type: 'event_msg', payload: { type: 'exec_command_end', call_id: 'c', aggregated_output: 'x' } },
    { type: 'event_msg', payload: { type: 'turn_completed', usage: {} } },
  ]);
  expect(session.facts).toMatchObject({ id: 'of-today', folder: '/w/api' });
  expect(turnsOf(session)).toEqual([['List the files.']]);
});

test('sessions that Codex has put into its archive are found like the others, and nothing else of its folder', () => {
  const codex = transcriptAgents.find(({ name }) => name === 'codex');
  const names = [
    'sessions/2026/01/02/rollout-2026-01-02T03-04-05-a.jsonl',
    'archived_sessions/rollout-2026-01-02T03-04-05-a.jsonl',
    'log/rollout-a.jsonl',
    'history.jsonl',
  ];
  expect(names.map((name) => codex?.files.test(name))).toEqual([true, true, false, false]);
  expect(
    ['sessions', 'sessions/2026', 'archived_sessions', 'log', 'plugins'].map((name) =>
      codex?.within?.test(name),
    ),
  ).toEqual([true, true, true, false, false]);
});

test('Gemini takes messages back, shows what was typed, and sums a session up in a line', () => {
  const user = (id: string, text: string, more = {}) => ({ id, type: 'user', content: [{ text }], ...more });
  const gemini = (id: string, content: unknown) => ({ id, type: 'gemini', content, thoughts: [] });
  const head = { sessionId: 's', projectHash: 'h', startTime: '2026-01-02T03:04:05Z', kind: 'main' };
  const first = [head, user('u1', 'How is it packed?'), gemini('g1', 'With make.')];
  const second = [user('u2', 'Wrong question'), gemini('g2', 'Wrong answer'), { $rewindTo: 'u2' }];
  const third = [
    user('u3', 'Explain @notes.md\n\n[the whole of notes.md]', {
      displayContent: [{ text: 'Explain @notes.md' }],
    }),
    gemini('g3', [{ text: 'I wonder', thought: true }, { text: 'It lists ferries.' }]),
    { $set: { summary: 'Packing and ferries' } },
  ];
  const session = folded('gemini', [...first, ...second, ...third]);
  expect(turnsOf(session)).toEqual([
    ['How is it packed?', 'With make.'],
    ['Explain @notes.md', 'It lists ferries.'],
  ]);
  expect(session.facts.title).toBe('Packing and ferries');
  expect(turnsOf(folded('gemini', [...first, ...second.slice(0, 2), { $rewindTo: 'g2' }]))).toEqual([
    ['How is it packed?', 'With make.'],
    ['Wrong question'],
  ]);
  expect(turnsOf(folded('gemini', [...first, { $rewindTo: 'nobody' }]))).toEqual([]);
});

test('what sub-agents and skills of Copilot say is no part of the conversation', () => {
  const event = (type: string, data: object, more = {}) => ({
    type,
    data,
    id: type,
    parentId: null,
    ...more,
  });
  const session = folded('copilot', [
    event('session.start', { sessionId: 's', context: { cwd: '/w', branch: 'main' } }),
    event('user.message', { content: 'Review the change', source: 'user' }),
    event('user.message', { content: 'The text of a skill', source: 'skill-review' }),
    event('assistant.message', { content: 'A sub-agent thinks' }, { agentId: 'agent-1' }),
    event('tool.execution_start', { toolName: 'grep', toolCallId: 'k', toolInput: { pattern: 'error' } }),
    event('assistant.message', { content: 'It is fine.' }),
    event('session.usage_checkpoint', { totalNanoAiu: 1 }),
  ]);
  expect(turnsOf(session)).toEqual([['Review the change', '[grep] error', 'It is fine.']]);
});

test('of a question that an editor has put its own words around only the question is kept, once', () => {
  const asked = 'Why is the ferry late?\n\nIt left at nine.';
  const around =
    '# Context from my IDE setup:\n\n## Active file: src/ferry.ts\n\n# Files mentioned by the user:\n\n## quay.png: /tmp/quay.png\n\n## My request for Codex:\n';
  const codex = folded('codex', [
    {
      type: 'response_item',
      payload: {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: around + asked },
          { type: 'input_text', text: '<image name=[Image #1] path="/tmp/quay.png">' },
          { type: 'input_image', image_url: 'data:' },
          { type: 'input_text', text: '</image>' },
        ],
      },
    },
    { type: 'event_msg', payload: { type: 'user_message', message: asked } },
    { type: 'event_msg', payload: { type: 'agent_message', message: 'The tide.' } },
  ]);
  expect(turnsOf(codex)).toEqual([[asked, 'The tide.']]);
  const gemini = folded('gemini', [
    {
      id: 'q',
      type: 'user',
      content: [
        { text: `${asked} @tide.txt` },
        { text: '\n--- Content from referenced files ---' },
        { text: '\nContent from @tide.txt:\n' },
        { text: 'High at ten.' },
        { text: '\n--- End of content ---' },
      ],
    },
    { id: 'a', type: 'gemini', content: 'The tide.' },
  ]);
  expect(turnsOf(gemini)).toEqual([[`${asked} @tide.txt`, 'The tide.']]);
  const copilot = folded('copilot', [
    { type: 'user.message', data: { content: `<user_query>\n${asked}\n</user_query>` } },
    { type: 'assistant.message', data: { content: 'The tide.' } },
  ]);
  expect(turnsOf(copilot)).toEqual([[asked, 'The tide.']]);
});

test('the output of a command of Codex begins with what the command wrote', () => {
  const item = (payload: object) => ({ type: 'response_item', payload });
  const session = folded('codex', [
    { type: 'event_msg', payload: { type: 'user_message', message: 'Test it' } },
    item({ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"npm test"}', call_id: 'a' }),
    item({
      type: 'function_call_output',
      call_id: 'a',
      output:
        'Chunk ID: 1a2b\nWall time: 4.05 seconds\nProcess exited with code 1\nOriginal token count: 9\nOutput:\nFAIL ferry.test.ts: expected 08:00\n',
    }),
  ]);
  const [, said = ''] = turnsOf(session)[0] ?? [];
  expect(said).toContain('FAIL ferry.test.ts: expected 08:00');
  expect(said).not.toMatch(/Chunk ID|Wall time/);
});
