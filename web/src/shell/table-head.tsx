/** The name of a column; in an object, how it differs from a column of text. */
export type Column = string | { readonly name: string; readonly kind: 'number' | 'unseen' };

/** The names of the columns of a table. */
export function TableHead({ columns }: { columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const { name, kind } = typeof column === 'string' ? { name: column, kind: 'text' } : column;
          return (
            <th key={name} scope="col" class={kind === 'number' ? 'number' : ''}>
              {kind === 'unseen' ? <span class="unseen">{name}</span> : name}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
