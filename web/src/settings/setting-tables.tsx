import { useEffect, useState } from 'preact/hooks';
import type { Drafts, Setting } from './drafts.ts';
import { SettingField } from './setting-field.tsx';

/** Settings that are drawn at once: the others follow picture by picture, so that no key waits for all of them. */
const atOnce = 12;

/** Settings by the table of `quarry.toml` that they stand in. */
export function SettingTables({
  settings,
  drafts,
  onEdit,
}: {
  settings: readonly Setting[];
  drafts: Drafts;
  onEdit: (key: string, draft: string | symbol | undefined) => void;
}) {
  const [drawn, setDrawn] = useState(atOnce);
  useEffect(() => {
    if (drawn < settings.length) setDrawn(drawn + atOnce);
    else setDrawn(Math.max(atOnce, settings.length));
  }, [drawn, settings.length]);
  const tables = Map.groupBy(settings.slice(0, drawn), ({ key }) =>
    key.includes('.') ? (key.split('.')[0] ?? '') : '',
  );
  return (
    <>
      {[...tables].map(([table, fields]) => (
        <section key={table} class="table">
          <h2>{table === '' ? 'General' : table}</h2>
          {fields.map((setting) => (
            <SettingField
              key={setting.key}
              setting={setting}
              draft={drafts.get(setting.key)}
              onEdit={(draft) => onEdit(setting.key, draft)}
            />
          ))}
        </section>
      ))}
    </>
  );
}
