import type { QuarryError } from '../../../src/client/index.ts';
import { untrustedWords } from '../../../src/core/failures/untrusted-settings.ts';
import { retiredRemedy } from '../../../src/core/settings/retired-remedy.ts';
import { type DiffLine, diffLines } from '../../../src/core/text/line-diff.ts';
import type { ResultOf } from '../api/operations.ts';
import { isLost } from '../api/session.ts';
import { Problem } from '../shell/problem.tsx';
import { plainly, plural } from '../shell/words.ts';

const meanings = {
  scan: 'the folder is looked through again',
  cut: 'all files are read again',
  embed: 'the meaning of all texts is computed again (embedding)',
};
const signs = { kept: ' ', removed: '−', added: '+' };
/** Unchanged lines shown around a change. */
const around = 2;

/** What would be written, or why it cannot be. */
export function Preview({
  count,
  preview,
  error,
  onSave,
  onDrop,
  onReload,
}: {
  count: number;
  preview: ResultOf<'config set'> | undefined;
  error: QuarryError | undefined;
  onSave: () => void;
  onDrop: () => void;
  onReload: () => void;
}) {
  const isConflict = error?.code === 'settings-conflict';
  return (
    <section class="preview" aria-label="Changes to save">
      <div class="preview-body">
        {error && <Problem error={error} />}
        {preview && preview.before === preview.after && (
          <p>Nothing would change: the file has this already.</p>
        )}
        {preview && preview.before !== preview.after && (
          <Diff lines={diffLines(preview.before, preview.after)} />
        )}
        {preview && <Untrusted settings={preview.untrusted} />}
        {preview && <Retired notices={preview.retired} />}
        {preview && preview.needs.length > 0 && (
          <p class="notice">
            When you save, a run starts: {preview.needs.map((need) => meanings[need]).join(', ')}. You can
            search meanwhile.
          </p>
        )}
      </div>
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={!preview || error !== undefined || isLost.value}
          onClick={onSave}
        >
          Save {plural(count, 'change')}
        </button>
        {isConflict && (
          <button type="button" onClick={onReload}>
            Read the file again, and keep my changes
          </button>
        )}
        <button type="button" onClick={onDrop}>
          Discard
        </button>
      </div>
    </section>
  );
}

/** Which settings of the file do not count, and how they would. */
export function Untrusted({ settings = [] }: { settings: readonly string[] | undefined }) {
  if (settings.length === 0) return null;
  const { message, remedy } = untrustedWords(settings);
  return (
    <p class="notice">
      {plainly(message)} {remedy}
    </p>
  );
}

/** Which settings of the file have names of the version before, and what became of them. */
export function Retired({ notices = [] }: { notices: readonly string[] | undefined }) {
  if (notices.length === 0) return null;
  return (
    <p class="notice">
      {notices.join(' ')} {retiredRemedy}
    </p>
  );
}

function Diff({ lines }: { lines: readonly DiffLine[] }) {
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'kept');
  return (
    <pre class="diff">
      {lines.map(
        ({ kind, text }, index) =>
          isNear(index) && (
            <div key={index} class={kind}>
              <span class="unseen">{kind}: </span>
              <span aria-hidden="true">{signs[kind]} </span>
              {plainly(text)}
            </div>
          ),
      )}
    </pre>
  );
}
