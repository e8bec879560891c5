import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { editorLink } from '../code/editor.ts';
import { Copy } from '../shell/copy.tsx';
import { route } from '../shell/route.ts';
import type { FilePlace } from './file-parts.tsx';
import { linkToHit } from './query-state.ts';
import { citedIn } from './several.ts';

/** What the reader sees beside the text. */
export interface PaneState {
  readonly showsWhy: boolean;
  readonly showsAround: boolean;
  readonly part?: Part | undefined;
}

/** What can be shown of the file of a place. */
export type Part = 'outline' | 'connections' | 'commits';

const parts: readonly (readonly [part: Part, name: string, key: string])[] = [
  ['outline', 'Outline', 'i'],
  ['connections', 'Callers', 'r'],
  ['commits', 'History', 'l'],
];

type FilePart = ComponentType<FilePlace>;

/** Loaded when it is wanted first. */
const loadPart: Readonly<Record<Part, () => Promise<FilePart>>> = {
  outline: async () => (await import('./file-parts.tsx')).FileOutline,
  connections: async () => (await import('./file-parts.tsx')).Connections,
  commits: async () => (await import('./last-commits.tsx')).LastCommits,
};

/** What can be done with a place and seen of its file, with what was chosen below. */
export function PaneTools({
  project,
  path,
  citation,
  lines,
  name,
  text,
  isCode,
  state,
  onState,
  children,
}: {
  project: string;
  path: string;
  citation: string;
  lines: readonly [number, number] | undefined;
  /** What is defined there. */
  name?: string | undefined;
  text: string;
  /** Whether others may call it. */
  isCode: boolean;
  state: PaneState;
  onState: (change: Partial<PaneState>) => void;
  children?: ComponentChildren;
}) {
  const editor = editorLink(project, path, lines?.[0]);
  const cited = citedIn(route.value.project, project, citation);
  const offered = parts.filter(
    ([part]) => (isCode || part !== 'connections') && (part !== 'commits' || isOfFile(path)),
  );
  const part = offered.some(([each]) => each === state.part) ? state.part : undefined;
  return (
    <>
      <div class="pane-tools">
        {children}
        {offered.map(([each, label, key]) => (
          <button
            key={each}
            type="button"
            title={key}
            aria-expanded={part === each}
            onClick={() => onState({ part: part === each ? undefined : each })}
          >
            {label}
          </button>
        ))}
        {text !== '' && <Copy text={text} name="Copy" />}
        <Copy text={cited} name="Copy place" />
        <Copy text={new URL(linkToHit(cited), location.href).href} name="Copy link" />
        {editor !== undefined && (
          <a class="button" href={editor} title="In your editor (o)">
            Open
          </a>
        )}
      </div>
      {part && <PartOf key={part} part={part} place={{ project, path, lines, name }} />}
    </>
  );
}

/** Whether it may be in the history of the code: a commit is the history itself, and what was added has none. */
function isOfFile(path: string): boolean {
  return !/^(?:virtual|conversation|commit):/.test(path);
}

function PartOf({ part, place }: { part: Part; place: FilePlace }) {
  const [loaded, setLoaded] = useState<{ Component: FilePart }>();
  useEffect(() => {
    // What cannot be loaded is missing because the server is gone, which the page says.
    loadPart[part]().then(
      (Component) => setLoaded({ Component }),
      () => undefined,
    );
  }, [part]);
  return loaded ? <loaded.Component {...place} /> : <p class="quiet part">Loading…</p>;
}
