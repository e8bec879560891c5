// What a user of another platform does, from the installed command to `quarry stop`. It runs on that platform's own
// Node.js, under an emulator, and writes down what came of each step; the tests read that.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { installed, node, program, folder, report, steps } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const onWindows = process.platform === 'win32';
/** A project whose vectors cost nothing, for what no model is needed for; commands there start no engine. */
const plain = { cwd: join(folder, '..', 'plain'), env: { ...process.env, CI: 'true' } };
const results = {};

/** Starts the command line; its standard error is kept, since nothing but what is meant for people may stand in it. */
function start(words, { env = process.env, cwd = folder } = {}) {
  const child = spawn(node, [program, ...words], { cwd, env, windowsHide: true });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => {
      said[name] += text;
    });
  const ended = new Promise((resolve) => child.on('close', (code) => resolve({ code, ...said })));
  return { child, said, ended };
}

async function run(words, options) {
  const { code, stdout, stderr } = await start(words, options).ended;
  if (code !== 0) throw new Error(`quarry ${words.join(' ')} ended with ${code}: ${stderr}${stdout}`);
  return { stdout, stderr };
}

async function json(words, options) {
  const { stdout } = await run([...words, '--json'], options);
  return JSON.parse(stdout.startsWith('{\n') ? stdout : stdout.trim().split('\n').at(-1));
}

async function until(what, child, holds) {
  while (child.exitCode === null) {
    const value = await holds();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`waited in vain: ${what}`);
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** An emulated engine starts slowly, and the command that started it may have stopped waiting for it. */
async function linkOfPage() {
  for (let attempt = 1; ; attempt += 1) {
    const { code, stdout, stderr } = await start(['ui', '--print', '--json']).ended;
    if (code === 0) return JSON.parse(stdout);
    if (!stderr.includes('server-unreachable') || attempt === 20) throw new Error(stderr);
  }
}

const question = 'how hot should the water be?';

const visits = {
  /** The command that the installer wrote, as a shell starts it. */
  async command() {
    const words = onWindows ? ['cmd.exe', '/d', '/c', `${installed}.cmd`] : [installed];
    const child = spawn(words[0], [...words.slice(1), '--version'], { cwd: folder });
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
    });
    await new Promise((resolve) => child.on('close', resolve));
    return said.trim();
  },
  async index() {
    const { stdout, stderr } = await run(['index', '--json', '--quiet'], { env: plain.env });
    await run(['cache', 'export', join(folder, '..', 'vectors.db')], { env: plain.env });
    return { summary: JSON.parse(stdout.trim().split('\n').at(-1)).summary, stderr };
  },
  /** The link of the page starts the engine in the background, and it answers the commands from then on. */
  async engine() {
    const { url } = await linkOfPage();
    const { engine } = await json(['status']);
    const { hits } = await json(['search', question]);
    const { answer } = await json(['ask', 'at how many degrees is green tea brewed?']);
    const { sound } = await json(['verify']);
    return { url, engine, hit: hits[0], answer, sound };
  },
  async mcp() {
    const { child, ended } = start(['mcp']);
    const answers = new Map();
    let text = '';
    child.stdout.on('data', (data) => {
      const lines = (text + data).split('\n');
      text = lines.pop();
      for (const line of lines.filter(Boolean)) answers.set(JSON.parse(line).id, JSON.parse(line));
    });
    const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    send({ id: 1, method: 'initialize', params });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: question } } });
    await until('an answer over MCP', child, () => answers.get(2));
    child.stdin.end();
    const { code } = await ended;
    return { server: answers.get(1).result.serverInfo.name, tool: JSON.stringify(answers.get(2)), code };
  },
  async stop() {
    const { stdout } = await run(['stop']);
    return { stdout, engine: (await json(['status'], { env: plain.env })).engine };
  },
  /** An engine whose thread is blocked answers nobody, and hears no signal. */
  async hang() {
    const [blocks, asked] = [join(folder, '..', 'block.mjs'), join(folder, '..', 'block-now')];
    const forever = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';
    write(
      blocks,
      `import { existsSync } from 'node:fs';
      setInterval(() => existsSync(${JSON.stringify(asked)}) && ${forever}, 50).unref();`,
    );
    const env = { ...process.env, NODE_OPTIONS: `--import=${pathToFileURL(blocks)}` };
    const { child, said, ended } = start(['serve', '--json'], { env });
    await until('an engine', child, () => said.stdout.includes('"server-started"'));
    write(asked, '');
    const stopped = await json(['stop']);
    await ended;
    return stopped;
  },
  /** A file is written while it is watched, and found then. */
  async watch() {
    write(join(plain.cwd, 'quarry.toml'), '[embedder]\ndriver = "hashing"\n');
    write(join(plain.cwd, 'notes', 'tea.md'), '# Tea\r\n\r\nGreen tea.\r\nBrewed at eighty degrees.\r\n');
    const { child, said, ended } = start(['watch', '--json'], plain);
    const passes = () => said.stdout.split('\n').filter((line) => line.includes('"index-end"')).length;
    await until('the first pass', child, () => passes() > 0);
    write(join(plain.cwd, 'notes', 'new', 'heron.md'), '# Heron\n\nThe heron waits in the reeds.\n');
    await until('the file in an event', child, () => said.stdout.includes('heron.md') && passes() > 1);
    child.kill();
    await ended;
    return (await json(['search', 'heron', '--no-update'], plain)).hits[0]?.path;
  },
  /** A run that is killed at its first documents leaves an index that the next run completes. */
  async kill() {
    const notes = 100;
    for (let number = 0; number < notes; number += 1)
      write(join(plain.cwd, 'many', `${number}.md`), `# Note ${number}\n\n${`Word${number} `.repeat(50)}\n`);
    const { child, said, ended } = start(['index', '--json'], plain);
    child.stdout.on('data', () => said.stdout.includes('"document-indexed"') && child.kill('SIGKILL'));
    await ended;
    const wasWhole = said.stdout.includes('"index-end"');
    const reported = said.stdout.split('"document-indexed"').length - 1;
    const { summary } = await json(['index'], plain);
    const { documents, sound } = await json(['verify'], plain);
    return {
      wasWhole,
      reported,
      indexedAgain: reported + summary.documents.indexed - notes,
      documents,
      sound,
    };
  },
  /** The same folder and the same file, as Windows lets a user write them. */
  async paths() {
    const { cwd, env } = plain;
    const lower = cwd[0].toLowerCase() + cwd.slice(1).replaceAll('\\', '/');
    const elsewhere = { env, cwd: dirname(cwd) };
    const status = await json(['status', '--project', lower], elsewhere);
    const read = [];
    for (const path of ['notes\\tea.md', `${cwd}\\.\\notes\\tea.md`, 'notes\\tea.md:3-4'])
      read.push((await json(['read', path], plain)).text);
    const below = await json(['search', 'green tea'], { env, cwd: join(cwd, 'notes') });
    return { documents: status.documents, read, below: below.hits[0]?.citation };
  },
  /** Names that are devices, streams and drives on Windows, wherever a caller may write a name. */
  async reserved() {
    const outcomes = {};
    const tea = join(plain.cwd, 'notes', 'tea.md');
    const calls = [
      ['read', 'NUL'],
      ['read', 'notes\\aux.md'],
      ['read', 'notes/tea.md:stream'],
      ['read', 'D:\\tea.md'],
    ];
    for (const uri of ['CON', 'calls:one'])
      calls.push(['add', tea, '--uri', uri], ['read', `virtual:${uri}`]);
    for (const words of calls) {
      const { code, stderr } = await start(words, plain).ended;
      outcomes[`${words[0]} ${words.at(-1)}`] =
        code === 0 ? 'done' : (/\(([a-z-]+)\)/.exec(stderr)?.[1] ?? stderr);
    }
    return outcomes;
  },
  /** A project whose own path is longer than 260 characters, and a file that lies deeper still. */
  async long() {
    const cwd = join(plain.cwd, '..', ...Array.from({ length: 6 }, (_, at) => `${at}`.repeat(50)));
    write(join(cwd, 'quarry.toml'), '[embedder]\ndriver = "hashing"\n');
    const file = join('a'.repeat(100), 'b'.repeat(100), 'deep.md');
    write(join(cwd, file), '# Deep\n\nThe well is deeper than the tower is high.\n');
    const { hits } = await json(['search', 'deep well', '--project', cwd], {
      env: plain.env,
      cwd: plain.cwd,
    });
    return { length: cwd.length, found: hits[0]?.path };
  },
};

const seconds = {};
for (const step of steps) {
  const began = performance.now();
  try {
    results[step] = await visits[step]();
  } catch (error) {
    results[step] = { failed: String(error?.stack ?? error) };
  }
  seconds[step] = Math.round((performance.now() - began) / 100) / 10;
  writeFileSync(report, JSON.stringify({ ...results, seconds }, null, 2));
}
