// A folder of pages that change, and everything that each of them ever held: an index may be behind, never wrong.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { draws } from '../../src/core/draws.ts';
import { sha256 } from '../../src/core/identity.ts';
import { temporaryFolder, writeFiles } from '../../test/temporary-folder.ts';

/** Pages that change at random, the same in every run for the same seed. */
export class Pages {
  readonly folder: string;
  readonly draw: () => number;
  /** The pages that are there now. */
  readonly present = new Set<string>();
  readonly #history = new Map<string, Map<string, string>>();

  private constructor(folder: string, seed: number) {
    this.folder = folder;
    this.draw = draws(seed);
  }

  static async write(count: number, seed: number): Promise<Pages> {
    const pages = new Pages(await temporaryFolder(), seed);
    for (let number = 0; number < count; number += 1) await pages.change(`pages/${number}.md`);
    return pages;
  }

  /** Gives a page another text, of so many words or of some hundred. */
  async change(path: string, length = 200 + Math.floor(this.draw() * 400)): Promise<void> {
    const words = Array.from({ length }, () => Math.floor(this.draw() * 5000).toString(36));
    const text = `# ${path}\n\n${words.join(' ')}\n`;
    const versions = this.#history.get(path) ?? new Map<string, string>();
    this.#history.set(path, versions.set(sha256(text), text));
    this.present.add(path);
    await writeFiles(this.folder, { [path]: text });
  }

  /** Changes so many pages that are there, some perhaps twice. */
  async changeSome(count: number): Promise<void> {
    const names = [...this.present];
    for (let edit = 0; edit < count; edit += 1)
      await this.change(names[Math.floor(this.draw() * names.length)] ?? 'pages/0.md');
  }

  async remove(path: string): Promise<void> {
    this.present.delete(path);
    await rm(join(this.folder, path), { force: true });
  }

  /** What a page held when it had this hash; undefined where it never did. */
  textOf(path: string, hash: string): string | undefined {
    return this.#history.get(path)?.get(hash);
  }
}
