import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 12)) >>> 0) / 2 ** 32;
  };
}

/** A tree in a git repository that changes at random, as editors, people and git change one. */
export interface ChangingTree {
  /** Does one thing and says what. */
  change(): string;
}

const folders = ['', 'docs', 'docs/guide', 'src', 'src/deep/er', 'notes'];
const names = ['a.md', 'b.md', 'c.txt', 'd.ts', 'e.log', 'empty.md', 'torn.docx', 'data.bin', 'naïve 文.md'];

/** Makes the tree in an empty folder, with two branches, and changes it by the numbers given. */
export function changingTree(root: string, random: () => number): ChangingTree {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const at = (path: string) => join(root, path);
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
      cwd: root,
      stdio: 'pipe',
    });
  let serial = 0;
  const content = (path: string): string => {
    serial += 1;
    if (path.endsWith('empty.md')) return '';
    if (path.endsWith('.bin')) return `\0\0\0binary ${serial}`;
    return `# Page ${serial}\n\nIt speaks of subject number ${serial}.\n${'More words. '.repeat(serial % 5)}\n`;
  };
  const write = (path: string, text = content(path)): void => {
    // A folder may have the name of a file by now, or a file that of a folder.
    if (existsSync(at(path))) rmSync(at(path), { recursive: true });
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const somePath = (): string => [pick(folders), pick(names)].filter(Boolean).join('/');
  const someFile = (): string | undefined => {
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && !/[\\/]\.(?:git|quarry)(?:[\\/]|$)/.test(`${entry.parentPath}/`),
    );
    const file = files.length === 0 ? undefined : pick(files);
    return file && join(file.parentPath, file.name).slice(root.length + 1);
  };

  git('init', '-q', '-b', 'main');
  for (const folder of folders) write(join(folder, 'kept.md'));
  git('add', '-A');
  git('commit', '-qm', 'one');
  git('switch', '-qc', 'other');
  for (let count = 0; count < 12; count++) write(somePath());
  rmSync(at('notes'), { recursive: true, force: true });
  git('add', '-A');
  git('commit', '-qm', 'two');

  const actions: Readonly<Record<string, (path: string) => void>> = {
    write,
    append: (path) => existsSync(at(path)) && appendFileSync(at(path), `Line ${serial++}.\n`),
    'replace by rename': (path) => {
      write(`${path}.tmp`);
      rmSync(at(path), { recursive: true, force: true });
      renameSync(at(`${path}.tmp`), at(path));
    },
    delete: (path) => existsSync(at(path)) && unlinkSync(at(path)),
    'delete and make again': (path) => {
      if (!existsSync(at(path))) return;
      unlinkSync(at(path));
      write(path);
    },
    move: (path) => {
      if (!existsSync(at(path))) return;
      const target = `moved/${serial++}-${path.split('/').at(-1)}`;
      mkdirSync(at('moved'), { recursive: true });
      renameSync(at(path), at(target));
    },
  };
  const folderActions: Readonly<Record<string, () => void>> = {
    'make a deep tree': () => write(`new${serial}/x/y/z/${pick(names)}`),
    'rename a folder': () => {
      const folder = pick(['docs', 'src', 'notes', 'moved']);
      if (existsSync(at(folder))) renameSync(at(folder), at(`was-${folder}-${serial++}`));
    },
    'delete a folder': () =>
      rmSync(at(pick(['docs/guide', 'src/deep', 'moved'])), { recursive: true, force: true }),
    'change ignore rules': () =>
      write(
        join(pick(['', 'docs', 'src']), pick(['.gitignore', '.quarryignore'])),
        `# ${serial++}\n${pick(['*.txt', 'b.md', 'deep/', '/src/', '*.md\n!a.md', ''])}\n`,
      ),
    'come and go a manifest': () =>
      existsSync(at('package.json')) ? unlinkSync(at('package.json')) : write('package.json', '{}\n'),
    'build something': () => write(`dist/${pick(names)}`),
    'switch branches': () => git('switch', '-qf', pick(['main', 'other'])),
  };

  return {
    change() {
      if (random() < 0.3) {
        const action = pick(Object.keys(folderActions));
        folderActions[action]?.();
        return action;
      }
      const action = pick(Object.keys(actions));
      const path =
        (action === 'write' || action.startsWith('replace') ? somePath() : someFile()) ?? somePath();
      actions[action]?.(path);
      return `${action} ${path}`;
    },
  };
}
