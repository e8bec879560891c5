import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { kindOf } from './kind-of.ts';
import type { KindText } from './kind-text.ts';

/** A text as people know its kind, or as it is written where the reader wants that. */
export function AsKind({ children, ...shown }: KindText & { children: ComponentChildren }) {
  const [loaded, setLoaded] = useState<{ name: string; Shown: ComponentType<KindText> }>();
  const [isRaw, setRaw] = useState(false);
  const [failure, setFailure] = useState<string>();
  const kind = kindOf(shown.path, shown.text);
  useEffect(() => {
    let isGone = false;
    // Without it the text is shown as it is written.
    kind?.load().then(
      (Shown) => !isGone && setLoaded({ name: kind.name, Shown }),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [kind]);
  if (!kind || loaded?.name !== kind.name) return <>{children}</>;
  if (failure !== undefined)
    return (
      <div class="as-kind">
        <p class="quiet part">As text: {failure}</p>
        {children}
      </div>
    );
  return (
    <div class="as-kind">
      <button type="button" class="link kind-switch" onClick={() => setRaw(!isRaw)}>
        {isRaw ? `As a ${kind.name.toLowerCase()}` : 'As it is written'}
      </button>
      {isRaw ? children : <loaded.Shown {...shown} onFailure={setFailure} />}
    </div>
  );
}
