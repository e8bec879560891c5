/** A search that was made, as the address of the page has it: `query=storm&type=email`. */
export interface AskedSearch {
  readonly asked: string;
  /** When it was made last. */
  readonly at: string;
}

/** A search that is to be made again, with the chunks that the reader has seen of it. */
export interface SavedSearch extends AskedSearch {
  readonly seen: readonly string[];
}

/** A question with what the reader says of files: 1 answers it, 0 does not. A line of a file for `quarry eval`. */
export interface OwnQuestion {
  readonly text: string;
  readonly relevant: readonly { readonly path: string; readonly grade: number }[];
}

/** What is kept for the reader of one project. */
export interface ReaderNotes {
  /** Newest first. */
  readonly recent: readonly AskedSearch[];
  readonly saved: readonly SavedSearch[];
  /** The chunks that the reader looked at, the last one first. */
  readonly opened: readonly string[];
  readonly questions: readonly OwnQuestion[];
}

/** Something to keep, or to forget. */
export interface NotesChange {
  readonly asked?: string | undefined;
  readonly opened?: string | undefined;
  readonly saved?: Pick<SavedSearch, 'asked' | 'seen'> | undefined;
  /** A search that is no longer saved. */
  readonly unsaved?: string | undefined;
  /** Whether a file answers a question; without a path, that nothing was found which does. */
  readonly judged?:
    | {
        readonly text: string;
        readonly path?: string | undefined;
        readonly verdict: 'yes' | 'no' | 'undecided';
      }
    | undefined;
  /** The text of a question that is to be forgotten. */
  readonly dropped?: string | undefined;
  readonly forgotten?: 'searches' | 'questions' | undefined;
}

/** How much is kept of each; the oldest is forgotten first, but for questions. */
export const maxKept = { recent: 50, saved: 30, opened: 500, seen: 200, questions: 2000 };

export const noNotes: ReaderNotes = { recent: [], saved: [], opened: [], questions: [] };

/** Milliseconds within which a longer query is the same one, typed further. */
const typedWithin = 60_000;

/** The notes after a change. */
export function withChange(before: ReaderNotes, change: NotesChange, now = new Date()): ReaderNotes {
  const at = now.toISOString();
  let { recent, saved, opened, questions } = before;
  if (change.forgotten === 'searches') [recent, saved, opened] = [[], [], []];
  if (change.forgotten === 'questions') questions = [];
  const { asked, opened: chunk, saved: kept, judged } = change;
  if (asked !== undefined) {
    const isSame = (other: AskedSearch): boolean => other.asked === asked;
    const isBegun = (other: AskedSearch): boolean =>
      asked.startsWith(other.asked) && now.getTime() - Date.parse(other.at) < typedWithin;
    recent = [{ asked, at }, ...recent.filter((other) => !isSame(other) && !isBegun(other))];
  }
  if (chunk !== undefined) opened = [chunk, ...opened.filter((other) => other !== chunk)];
  if (kept) {
    const entry = { asked: kept.asked, at, seen: kept.seen.slice(0, maxKept.seen) };
    const isKnown = saved.some((other) => other.asked === kept.asked);
    saved = isKnown ? saved.map((other) => (other.asked === kept.asked ? entry : other)) : [entry, ...saved];
  }
  if (change.unsaved !== undefined) saved = saved.filter((other) => other.asked !== change.unsaved);
  if (judged) questions = withVerdict(questions, judged);
  if (change.dropped !== undefined) questions = questions.filter(({ text }) => text !== change.dropped);
  return {
    recent: recent.slice(0, maxKept.recent),
    saved: saved.slice(0, maxKept.saved),
    opened: opened.slice(0, maxKept.opened),
    questions,
  };
}

function withVerdict(
  questions: readonly OwnQuestion[],
  { text, path, verdict }: NonNullable<NotesChange['judged']>,
): readonly OwnQuestion[] {
  const known = questions.find((question) => question.text === text);
  const others = (known?.relevant ?? []).filter((label) => label.path !== path);
  const label =
    path === undefined || verdict === 'undecided' ? [] : [{ path, grade: verdict === 'yes' ? 1 : 0 }];
  const judged = { ...known, text, relevant: [...others, ...label] };
  // Who takes the only verdict back has said nothing of the question.
  if (path !== undefined && judged.relevant.length === 0)
    return questions.filter((question) => question !== known);
  return known
    ? questions.map((question) => (question === known ? judged : question))
    : [...questions, judged];
}

/** What the reader said of a file for a question. */
export function verdictOf(
  { questions }: Pick<ReaderNotes, 'questions'>,
  text: string,
  path: string,
): 'yes' | 'no' | undefined {
  const label = questions
    .find((question) => question.text === text)
    ?.relevant.find((each) => each.path === path);
  return label && (label.grade > 0 ? 'yes' : 'no');
}
