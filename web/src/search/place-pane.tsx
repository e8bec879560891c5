import { Citation } from './hit-row.tsx';
import { type PaneState, PaneTools } from './pane-tools.tsx';
import { PlaceText } from './place-text.tsx';
import { leavePlace, type OpenPlace } from './places.ts';

/** A place that the reader went to: a source of an answer, an entry of an outline, a caller. */
export function PlacePane({
  place,
  state,
  onState,
}: {
  place: OpenPlace;
  state: PaneState;
  onState: (change: Partial<PaneState>) => void;
}) {
  const { project } = place;
  return (
    <section class="pane" aria-label={`${place.words === undefined ? 'Place' : 'Source'} in its file`}>
      <header>
        <button type="button" class="pane-back" onClick={leavePlace}>
          ← Back
        </button>
        <h2>
          <Citation path={place.path} citation={place.citation} />
        </h2>
      </header>
      <PaneTools
        project={project}
        path={place.path}
        citation={place.citation}
        lines={place.lines}
        text=""
        isCode
        state={state}
        onState={onState}
      />
      <PlaceText key={place.citation + place.words} project={project} place={place} />
    </section>
  );
}
