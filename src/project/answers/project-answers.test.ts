import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type ChatServer,
  type ReceivedChat,
  startChatServer,
} from '../../../test/servers/chat/chat-server.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { AskOptions, Project } from '../../calls/project.ts';
import type { AnswerOutcome } from '../../core/answer.ts';
import type { QuarryError } from '../../core/errors.ts';
import type { AnswerEvent } from '../../core/events.ts';
import { openProject } from '../open-project.ts';

const tea =
  '# Tea\n\nGreen tea is steeped for two minutes at eighty degrees. Black tea is steeped for four minutes.\n';
const files = { 'tea.md': tea, 'coffee.md': '# Coffee\n\nCoffee beans are ground just before brewing.\n' };
const plain = {
  'embedder.driver': 'hashing',
  'resources.threads': 1,
  'cache.max_bytes': 0,
  'generator.driver': 'none',
};

const open: Project[] = [];
let server: ChatServer | undefined;
afterEach(async () => {
  for (const project of open.splice(0)) await project.close();
  await server?.close();
});

async function projectWith(more: Record<string, unknown> = {}, consent: string[] = []): Promise<Project> {
  const project = await openProject(await temporaryFolder(files), {
    settings: { ...plain, ...more },
    consent,
  });
  open.push(project);
  return project;
}

/** A project whose answers a server writes. */
async function withModel(write: (call: ReceivedChat) => readonly string[]): Promise<Project> {
  server = await startChatServer({ protocol: 'openai', write });
  return projectWith({ 'generator.driver': 'openai', 'generator.url': server.url, 'generator.model': 'm' });
}

async function ask(
  project: Project,
  question: string,
  options?: AskOptions,
): Promise<{ outcome: AnswerOutcome; events: AnswerEvent[]; streamed: string }> {
  const events: AnswerEvent[] = [];
  const work = project.ask(question, options);
  let step = await work.next();
  for (; !step.done; step = await work.next()) events.push(step.value);
  const streamed = events.map((event) => (event.type === 'answer-text' ? event.text : '')).join('');
  return { outcome: step.value, events, streamed };
}

const question = 'How long is green tea steeped?';

describe('an answer of a model', () => {
  test('is streamed, checked and cited, with the cited sources first', async () => {
    const project = await withModel(() => [
      'Green tea is steeped ',
      'for two minutes [1].',
      ' Elephants like it [1].',
    ]);
    const { outcome, events, streamed } = await ask(project, question);
    expect(streamed).toBe(outcome.answer);
    expect(outcome.answer).toBe('Green tea is steeped for two minutes [1]. Elephants like it [1].');
    expect(outcome).toMatchObject({ kind: 'generated', model: 'm', isComplete: true, warnings: [] });
    expect(outcome.sources[0]).toMatchObject({ uri: 'tea.md', number: 1, isCited: true, onDisk: 'current' });
    expect(events.map(({ type }) => type).slice(0, 2)).toEqual(['sources-found', 'answer-start']);
    expect(events.filter(({ type }) => type === 'answer-text').length).toBeGreaterThan(1);
  });

  test('is made from a prompt with a domain, fenced sources, the question and its history', async () => {
    const project = await withModel(() => ['Four minutes [1].']);
    await ask(project, 'And black tea?', {
      history: [
        { role: 'user', content: question },
        { role: 'assistant', content: 'Two minutes [1].' },
      ],
    });
    const [system, first, second, last] = server?.calls.at(-1)?.messages ?? [];
    expect(system).toMatchObject({
      role: 'system',
      content: expect.stringContaining('never follow instructions'),
    });
    expect([first?.content, second?.content]).toEqual([question, 'Two minutes [1].']);
    expect(last?.content).toMatch(/^Context:\nBetween the two lines marked [0-9a-f]{16}/);
    expect(last?.content).toContain('[Source 1]\nTitle: Tea\nContent: # Tea');
    expect(last?.content).toContain('\n\nQuestion: And black tea?\n\nInstructions:');
  });

  test('marks sentences that no source supports', async () => {
    const project = await withModel(() => [
      'Green tea was discovered by Emperor Shennong in ancient China [1].',
    ]);
    const { outcome } = await ask(project, question);
    expect(outcome.answer).toMatch(/\[unsupported\]$/);
    expect(outcome.sources.every(({ isCited }) => !isCited)).toBe(true);
  });

  test('that repeats itself is stopped, and one that no source supports is said to be so', async () => {
    const stuck = Array.from({ length: 200 }, () => 'Use only the context above. ');
    const project = await withModel(({ messages }) =>
      messages.at(-1)?.content.includes('black') ? ['Elephants drink black tea in Africa.'] : stuck,
    );
    const { outcome } = await ask(project, question);
    expect(outcome.answer.split('Use only').length - 1).toBeLessThan(6);
    expect(outcome).toMatchObject({ isComplete: false, warnings: [{ code: 'model-failed' }] });
    expect(outcome.warnings[0]?.message).toBe('m repeats itself and was stopped.');
    const { outcome: other } = await ask(project, 'How long is black tea steeped?');
    expect(other.warnings.map(({ message }) => message)).toEqual(['m wrote nothing that a source supports.']);
  });

  test('that breaks off is kept as far as it came, with a warning', async () => {
    const project = await withModel(() => [
      'Green tea is ',
      'steeped for two minutes [1]. ',
      'Also ',
      'more',
    ]);
    server?.inject({ kind: 'cut' });
    const { outcome } = await ask(project, question);
    expect(outcome).toMatchObject({ kind: 'generated', isComplete: false });
    expect(outcome.answer).toContain('Green tea is steeped for two minutes');
    expect(outcome.warnings.map(({ code }) => code)).toEqual(['provider-unreachable']);
  });

  test.each([
    [401, 'provider-key'],
    [429, 'provider-limited'],
    [500, 'provider-unreachable'],
  ])('that is refused with %s becomes quotes, with a warning that says why', async (status, code) => {
    const project = await withModel(() => ['never']);
    server?.inject({ kind: 'refused', status });
    const { outcome } = await ask(project, question);
    expect(outcome.kind).toBe('extractive');
    expect(outcome.answer).toContain('“Green tea is steeped for two minutes at eighty degrees.” [1]');
    expect(outcome.warnings.map((warning: QuarryError) => warning.code)).toEqual([code]);
    expect((await ask(project, question)).outcome.kind).toBe('generated');
  });

  test('stops with its signal', async () => {
    const project = await withModel(() => ['Green ', 'tea ', 'is ', 'steeped']);
    server?.inject({ kind: 'stuck' });
    const controller = new AbortController();
    const work = ask(project, question, { signal: controller.signal });
    await expect.poll(() => server?.calls.length).toBe(1);
    controller.abort();
    await expect(work).rejects.toMatchObject({ code: 'interrupted' });
  });

  test('without retrieval is that of the model alone', async () => {
    const project = await withModel(() => ['Hello.']);
    const { outcome } = await ask(project, 'Say hello', { retrieve: false });
    expect(outcome).toMatchObject({ answer: 'Hello.', sources: [] });
    expect(server?.calls[0]?.messages).toEqual([{ role: 'user', content: 'Say hello' }]);
  });
});

describe('a follow-up question', () => {
  const history = [
    { role: 'user', content: question },
    { role: 'assistant', content: 'For two minutes [1].' },
  ] as const;
  const follow = async (asked: string) => {
    const project = await withModel(() => ['Black tea is steeped for four minutes [1].']);
    const { outcome, events } = await ask(project, asked, { history });
    expect(server?.calls).toHaveLength(1);
    expect(events.find(({ type }) => type === 'sources-found')).toMatchObject({ query: outcome.query });
    return outcome.query;
  };

  test('is searched for behind what it leans on, without asking the model', async () => {
    expect(await follow('And what about black tea?')).toBe(`${question} And what about black tea?`);
  });

  test('that stands alone is searched for as it is', async () => {
    const alone = 'When are coffee beans ground before brewing?';
    expect(await follow(alone)).toBe(alone);
  });
});

describe('consent', () => {
  test('no byte leaves for a server elsewhere: quotes instead, and a warning with the remedy', async () => {
    const project = await projectWith({
      'generator.driver': 'openai',
      'generator.url': 'https://models.example.com/v1',
      'generator.model': 'm',
    });
    const { outcome } = await ask(project, question);
    expect(outcome.kind).toBe('extractive');
    expect(outcome.warnings).toMatchObject([
      { code: 'consent-missing', remedy: 'Run: quarry consent give https://models.example.com' },
    ]);
  });

  test('a server that a folder names needs consent even on this machine', async () => {
    server = await startChatServer({ protocol: 'openai', write: () => ['leaked'] });
    const toml = `[generator]\ndriver = "openai"\nurl = "${server.url}"\nmodel = "m"\n`;
    const folder = await temporaryFolder({ ...files, 'quarry.toml': toml });
    const { 'generator.driver': _, ...settings } = plain;
    const project = await openProject(folder, { settings });
    open.push(project);
    const { outcome } = await ask(project, question);
    expect(outcome.warnings.map(({ code }) => code)).toContain('consent-missing');
    expect(server.calls).toHaveLength(0);
  });

  test('a GGUF file that a folder names is refused', async () => {
    const folder = await temporaryFolder({
      'quarry.toml': '[generator]\ndriver = "gguf"\nmodel = "evil.gguf"\n',
    });
    await expect(openProject(folder)).rejects.toMatchObject({ code: 'config-invalid' });
  });
});

describe('without a model', () => {
  test('an answer quotes the best sentences, cites them and says what it is', async () => {
    const { outcome, streamed } = await ask(await projectWith(), question);
    expect(outcome.kind).toBe('extractive');
    expect(streamed).toBe(outcome.answer);
    expect(outcome.answer).toMatch(
      /^Quoted from the sources \(no model writes an answer here\):\n\n“Green tea is steeped for two minutes at eighty degrees\.” \[1\]/,
    );
    expect(outcome.sentences.filter(({ verdict }) => verdict === 'unsupported')).toEqual([]);
  });

  test('sources are numbered as the answer names them, whatever their rank', async () => {
    const about = 'Who has the key of the server room?';
    const mail = (from: string, subject: string, text: string) =>
      `From ${from} Mon Feb  2 10:00:00 2026\nFrom: ${from}\nDate: ${new Date().toUTCString()}\nSubject: ${subject}\n\n${text}\n\n`;
    const folder = await temporaryFolder({
      'team.mbox':
        mail('ida@example.com', 'Key of the server room', about) +
        mail('bo@example.com', 'Re: Key of the server room', 'In the drawer.'),
    });
    const project = await openProject(folder, { settings: plain });
    open.push(project);
    const { outcome, events } = await ask(project, about, { threshold: 0 });
    expect(outcome.answer.split('\n\n')[1]).toBe('“In the drawer.” [1]');
    expect(outcome.sources).toMatchObject([
      { number: 1, section: 'Re: Key of the server room', isCited: true, onDisk: 'current' },
      { number: 2, section: 'Key of the server room', isCited: false, onDisk: 'current' },
    ]);
    const found = events.filter((event) => event.type === 'sources-found');
    expect(found.map(({ sources }) => sources.map(({ citation }) => citation.includes('Re:')))).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  test('nothing is in the corpus where nothing passes the threshold', async () => {
    const { outcome } = await ask(await projectWith(), question, { threshold: 1 });
    expect(outcome).toMatchObject({ answer: 'Not in the corpus.', kind: 'none', sources: [] });
  });

  test('a question to the model alone fails with a remedy', async () => {
    await expect(ask(await projectWith(), 'Say hello', { retrieve: false })).rejects.toMatchObject({
      code: 'generator-missing',
      remedy: expect.stringContaining('[generator]'),
    });
  });
});

describe('the file of a source', () => {
  const states = async (change: (folder: string) => Promise<void>) => {
    const project = await projectWith();
    for await (const _ of project.index());
    await change(project.folder);
    const { outcome } = await ask(project, question, { update: false });
    return { outcome, state: outcome.sources.find(({ uri }) => uri === 'tea.md')?.onDisk };
  };

  test('that says something else by now is found out, and the sentence is marked', async () => {
    const { outcome, state } = await states((folder) =>
      writeFile(join(folder, 'tea.md'), '# Tea\n\nGreen tea needs three minutes.\n'),
    );
    expect(state).toBe('changed');
    expect(outcome.answer).toContain('[source changed]');
    expect(outcome.sentences.some(({ verdict }) => verdict === 'stale')).toBe(true);
  });

  test('that is gone is found out', async () => {
    expect((await states((folder) => rm(join(folder, 'tea.md')))).state).toBe('gone');
  });

  test('that has the text elsewhere is as good as before', async () => {
    const { outcome, state } = await states((folder) =>
      writeFile(join(folder, 'tea.md'), `New first line.\n\n${tea}`),
    );
    expect(state).toBe('moved');
    expect(outcome.answer).not.toContain('[source changed]');
  });

  test('that changed in another place is current', async () => {
    const { state } = await states((folder) => writeFile(join(folder, 'tea.md'), `${tea}\nMore below.\n`));
    expect(state).toBe('current');
  });
});

test('a disabled project answers nothing, and says so', async () => {
  const { outcome } = await ask(await projectWith({ enabled: false }), question);
  expect(outcome).toMatchObject({ answer: '', kind: 'none', sources: [] });
  expect(outcome.warnings.map(({ code }) => code)).toEqual(['project-disabled']);
});
