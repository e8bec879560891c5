/** The cells of a table while it is read; what stands in a table within one is text of its cell. */
export class TableRows {
  #depth = 0;
  #rows: string[][] = [];
  #cell: string[] = [];

  /** Whether what is read stands in a table. */
  get isOpen(): boolean {
    return this.#depth > 0;
  }

  begin(): void {
    this.#depth += 1;
  }

  beginRow(): void {
    if (this.#depth === 1) this.#rows.push([]);
  }

  /** A paragraph of the cell that is read. */
  add(words: string): void {
    this.#cell.push(words.replace(/\s+/g, ' '));
  }

  endCell(): void {
    if (this.#depth !== 1) return;
    if (this.#rows.length === 0) this.#rows.push([]);
    this.#rows.at(-1)?.push(this.#cell.join(' '));
    this.#cell = [];
  }

  /** The rows, where the outermost table has ended. */
  end(): readonly (readonly string[])[] {
    this.#depth = Math.max(0, this.#depth - 1);
    if (this.#depth > 0) return [];
    const rows = this.#rows;
    this.#rows = [];
    this.#cell = [];
    return rows;
  }
}
