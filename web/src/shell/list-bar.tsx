import { Segments } from './segments.tsx';
import { counted } from './words.ts';

/** What is above a list: which kind of entries is listed, with how many there are of each, and words to filter them by. */
export function ListBar<Kind extends string>({
  label,
  counts,
  names,
  kind,
  onKind,
  filterLabel,
  hint,
  filter,
  onFilter,
}: {
  label: string;
  /** Each kind with the number of its entries, in the order they are shown. */
  counts: readonly (readonly [kind: Kind, count: number])[];
  /** Each kind in a reader's words, where its own name is none. */
  names?: Readonly<Record<Kind, string>>;
  kind: Kind;
  onKind: (kind: Kind) => void;
  filterLabel: string;
  hint: string;
  filter: string;
  onFilter: (words: string) => void;
}) {
  return (
    <div class="list-bar">
      <Segments
        label={label}
        options={counts.map(([name, count]) => [name, `${names?.[name] ?? name} ${counted(count)}`] as const)}
        chosen={kind}
        onChoose={onKind}
      />
      <input
        type="search"
        aria-label={filterLabel}
        placeholder={hint}
        value={filter}
        onInput={(event) => onFilter(event.currentTarget.value)}
      />
    </div>
  );
}
