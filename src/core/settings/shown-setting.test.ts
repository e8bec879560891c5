import { expect, test } from 'vitest';
import { shownSetting } from './shown-setting.ts';

const secret = 'sesame7opens';
test.each([
  [`npx notes-mcp --token ${secret} --limit 5`, 'npx notes-mcp --token (hidden) --limit 5'],
  [`notes-mcp --api-key=${secret}`, 'notes-mcp --api-key=(hidden)'],
  [`env API_KEY=${secret} notes-mcp`, 'env API_KEY=(hidden) notes-mcp'],
  [
    `notes-mcp --header "Authorization: Bearer ${secret}"`,
    'notes-mcp --header "Authorization: (hidden) (hidden)',
  ],
  ['notes-mcp 0a1b2c3d4e5f60718293a4b5c6d7', 'notes-mcp (hidden)'],
  ['node ./tools/notes-server-2.mjs --port 8080', 'node ./tools/notes-server-2.mjs --port 8080'],
  [`https://me:${secret}@notes.example/mcp?key=${secret}`, 'https://(hidden)@notes.example/mcp?(hidden)'],
])('the command %s is shown as %s', (command, shown) => {
  expect(shownSetting('store.mcp', { server: command })).toEqual({ server: shown });
  expect(shownSetting('store.mcp_server', command)).toBe(shown);
});

test('keys are never shown, and arguments by their names', () => {
  expect(shownSetting('store.api_key', secret)).toBe('(hidden)');
  expect(
    shownSetting('store.mcp.arguments', { text: '{query}', api_key: secret, more: [{ password: secret }] }),
  ).toEqual({
    text: '{query}',
    api_key: '(hidden)',
    more: [{ password: '(hidden)' }],
  });
  expect(shownSetting('search.top_k', 5)).toBe(5);
});
