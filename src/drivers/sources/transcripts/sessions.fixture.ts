const lines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
const moment = (minute: number, day = '2026-10-03') => `${day}T14:${String(minute).padStart(2, '0')}:00.000Z`;
const long = Array.from({ length: 400 }, (_, at) => `line ${at} of the output`).join('\n');

/** A session of Claude Code: two questions, tools, thoughts, what the program adds, and records that nobody knows yet. */
export function claudeSession(cwd: string, id = '11111111-2222-4333-8444-555566667777'): string {
  const base = {
    sessionId: id,
    cwd,
    gitBranch: 'main',
    version: '2.1.0',
    isSidechain: false,
    userType: 'external',
  };
  const user = (minute: number, content: unknown, more = {}) => ({
    ...base,
    type: 'user',
    uuid: `u${minute}`,
    timestamp: moment(minute),
    message: { role: 'user', content },
    ...more,
  });
  const assistant = (minute: number, content: unknown) => ({
    ...base,
    type: 'assistant',
    uuid: `a${minute}${JSON.stringify(content).length}`,
    timestamp: moment(minute),
    message: { role: 'assistant', id: `m${minute}`, model: 'claude', content },
  });
  return lines([
    { type: 'file-history-snapshot', messageId: 'x', snapshot: {} },
    user(
      1,
      '<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>',
    ),
    user(2, 'Caveat: what follows was made by commands', { isMeta: true }),
    user(3, 'The store test hangs on the build server. Why?\n<system-reminder>Be brief.</system-reminder>'),
    assistant(4, [{ type: 'thinking', thinking: 'A secret thought.' }]),
    assistant(4, [{ type: 'text', text: 'I look at the lock of the writer first.' }]),
    assistant(4, [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test -- store' } }]),
    user(
      5,
      [{ type: 'tool_result', tool_use_id: 't1', content: `${long}\nError: lock is held`, is_error: true }],
      { toolUseResult: {} },
    ),
    assistant(6, [{ type: 'tool_use', id: 't2', name: 'Read', input: { file_path: '/src/store.ts' } }]),
    user(6, [{ type: 'tool_result', tool_use_id: 't2', content: [{ type: 'text', text: long }] }]),
    assistant(7, [
      {
        type: 'text',
        text: 'The lease was never released: `close()` threw before it. I release it in a finally block.',
      },
    ]),
    user(8, [
      {
        type: 'text',
        text: 'Thanks. The key is sk-ant-api03-Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0Lz9Xc8Vb7Nm6Qw5Er4Ty3Ui2Op1AsDfGhJkLzXcVbNm-AbCdEfAA, use it',
      },
    ]),
    assistant(9, [{ type: 'text', text: 'Noted, it is not written anywhere.' }]),
    { type: 'newly-invented', sessionId: id, content: 'something with a text' },
    { type: 'system', subtype: 'turn_duration', content: 'x', ...base },
    { type: 'ai-title', aiTitle: 'Store test hangs', sessionId: id },
  ]);
}

/** A session of Codex of today, which says everything twice. */
export function codexSession(cwd: string, id = '0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000'): string {
  const item = (minute: number, payload: unknown) => ({
    timestamp: moment(minute),
    type: 'response_item',
    payload,
  });
  const said = (role: string, text: string) => ({
    type: 'message',
    role,
    content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
  });
  return lines([
    {
      timestamp: moment(1),
      type: 'session_meta',
      payload: {
        id,
        cwd,
        timestamp: moment(1),
        originator: 'codex_cli',
        cli_version: '0.99.0',
        git: { branch: 'trunk' },
      },
    },
    item(1, said('user', `<environment_context>\n  <cwd>${cwd}</cwd>\n</environment_context>`)),
    item(2, said('user', 'Make the parser accept trailing commas.')),
    {
      timestamp: moment(2),
      type: 'event_msg',
      payload: { type: 'user_message', message: 'Make the parser accept trailing commas.' },
    },
    item(3, { type: 'reasoning', summary: [], encrypted_content: 'gAAAA' }),
    item(3, {
      type: 'function_call',
      name: 'shell',
      arguments: '{"command":["bash","-lc","rg comma src"]}',
      call_id: 'c1',
    }),
    item(3, {
      type: 'function_call_output',
      call_id: 'c1',
      output: '{"output":"src/parse.ts:7: comma\\n","metadata":{"exit_code":0}}',
    }),
    item(4, {
      type: 'custom_tool_call',
      name: 'apply_patch',
      input: '*** Begin Patch\n*** Update File: src/parse.ts\n-a\n+b\n*** End Patch',
      call_id: 'c2',
    }),
    item(5, said('assistant', 'Trailing commas are accepted now, in arrays and in objects.')),
    {
      timestamp: moment(5),
      type: 'event_msg',
      payload: {
        type: 'agent_message',
        message: 'Trailing commas are accepted now, in arrays and in objects.',
      },
    },
    { timestamp: moment(5), type: 'event_msg', payload: { type: 'token_count', info: null } },
  ]);
}

/** A session of Codex of the time before records had a payload. */
export function oldCodexSession(cwd: string): string {
  return lines([
    {
      id: '0198aaaa-0000-7000-8000-000000000001',
      timestamp: moment(1, '2025-08-03'),
      instructions: null,
      git: {},
    },
    { record_type: 'state' },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: `<environment_context>\n<cwd>${cwd}</cwd>\n</environment_context>` },
      ],
    },
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'Rename the folder of examples.' }],
    },
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'It is called samples now.' }],
    },
  ]);
}

/** A session of Gemini CLI, in which an answer is written again when its tools are done. */
export function geminiSession(): string {
  const answer = {
    id: 'g1',
    timestamp: moment(3),
    type: 'gemini',
    thoughts: [{ subject: 'Hm' }],
    model: 'gemini',
  };
  const toolCalls = [
    {
      id: 'r1',
      name: 'run_shell_command',
      args: { command: 'make dist' },
      status: 'success',
      resultDisplay: 'dist/app.tar',
    },
  ];
  return lines([
    {
      sessionId: 'abcd1234-0000-4000-8000-00000000cafe',
      projectHash: 'x',
      startTime: moment(1),
      lastUpdated: moment(1),
      kind: 'main',
    },
    { id: 'q1', timestamp: moment(2), type: 'user', content: [{ text: 'How is the archive made?' }] },
    { ...answer, content: 'Looking' },
    { $set: { lastUpdated: moment(3) } },
    { ...answer, content: 'Run `make dist`; it writes dist/app.tar.', toolCalls },
    { id: 'i1', timestamp: moment(4), type: 'info', content: 'Update available' },
  ]);
}

/** A session of Copilot CLI. */
export function copilotSession(cwd: string, id = 'c0ffee00-1111-4222-8333-444455556666'): string {
  const event = (minute: number, type: string, data: unknown) => ({
    type,
    data,
    id: `e${minute}${type}`,
    timestamp: moment(minute),
    parentId: null,
  });
  return lines([
    event(1, 'session.start', {
      sessionId: id,
      version: 1,
      producer: 'copilot-agent',
      startTime: moment(1),
      context: { cwd, branch: 'main' },
    }),
    event(2, 'user.message', { content: 'Why is the page blank in Safari?', transformedContent: '<x>…</x>' }),
    event(3, 'assistant.message', {
      messageId: 'm',
      content: '',
      toolRequests: [
        { toolCallId: 'k1', name: 'bash', arguments: { command: 'grep -rn structuredClone web' } },
      ],
    }),
    event(3, 'tool.execution_start', {
      toolCallId: 'k1',
      toolName: 'bash',
      arguments: { command: 'grep -rn structuredClone web' },
    }),
    event(3, 'tool.execution_complete', {
      toolCallId: 'k1',
      success: true,
      result: { content: 'web/state.ts:9' },
    }),
    event(4, 'assistant.message', {
      messageId: 'n',
      content: 'Safari 15.3 has no structuredClone; web/state.ts copies by hand now.',
    }),
  ]);
}
