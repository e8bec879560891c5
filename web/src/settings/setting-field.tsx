import type { Choice } from './choices.ts';
import { kindOf, type Setting, schemaOf, textOf, unset } from './drafts.ts';

/** One setting: what it means, where its value comes from, and a way to change it. */
export function SettingField({
  setting,
  draft,
  choice,
  onEdit,
}: {
  setting: Setting;
  /** How a person would ask for it; without, it has its own name. */
  choice?: Choice | undefined;
  draft: string | symbol | undefined;
  onEdit: (draft: string | symbol | undefined) => void;
}) {
  const { key, layer, origin, description } = setting;
  const text = textOf(setting);
  const isUnset = draft === unset;
  const current = typeof draft === 'string' ? draft : text;
  const change = (next: string) => onEdit(next === text ? undefined : next);
  // A variable or flag is above the file: to change the file would change nothing.
  const isFixed = layer === 'environment' || layer === 'flag' || text === '(hidden)';
  return (
    <div class={draft === undefined ? 'setting' : 'setting is-changed'}>
      <div class="setting-name">
        <label for={`setting-${key}`} class={choice ? 'is-question' : ''}>
          {choice?.question ?? key}
        </label>
        {origin !== '' && !(choice && layer === 'default') && (
          <span class={`tag layer-${layer}`}>{layer === 'project' ? 'quarry.toml' : origin}</span>
        )}
        {choice && <code class="quiet">{key}</code>}
      </div>
      <p id={`meaning-${key}`} class="quiet">
        {(choice?.help ?? description)
          .split('`')
          .map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}
      </p>
      <div class="setting-value">
        <Editor
          setting={setting}
          options={choice?.options}
          text={isUnset ? '' : current}
          isFixed={isFixed}
          onChange={change}
        />
        {draft !== undefined && (
          <button type="button" class="link" onClick={() => onEdit(undefined)}>
            Undo<span class="unseen"> {key}</span>
          </button>
        )}
        {draft === undefined && layer === 'project' && (
          <button type="button" class="link" onClick={() => onEdit(unset)}>
            Back to the default<span class="unseen"> of {key}</span>
          </button>
        )}
      </div>
    </div>
  );
}

function Editor({
  setting,
  options: offered,
  text,
  isFixed,
  onChange,
}: {
  setting: Setting;
  options: Choice['options'];
  text: string;
  isFixed: boolean;
  onChange: (text: string) => void;
}) {
  const { key } = setting;
  const { enum: choices = [], minimum, maximum } = schemaOf(setting);
  const kind = kindOf(setting);
  const common = {
    id: `setting-${key}`,
    'aria-describedby': `meaning-${key}`,
    disabled: isFixed,
    value: text,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (offered) {
    const isOffered = text === '' || offered.some(([value]) => value === text);
    return (
      <select {...common}>
        {text === '' && <option value="">not set</option>}
        {offered.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
        {!isOffered && <option value={text}>{text}</option>}
      </select>
    );
  }
  if (kind === 'switch' || kind === 'choice') {
    const options = kind === 'switch' ? ['true', 'false'] : choices;
    return (
      <select {...common}>
        {text === '' && <option value="">not set</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {kind === 'choice' ? option : option === 'true' ? 'yes' : 'no'}
          </option>
        ))}
      </select>
    );
  }
  if (kind === 'list' || kind === 'table')
    return (
      <textarea
        {...common}
        rows={Math.min(Math.max(text.split('\n').length, 1), 8)}
        spellcheck={false}
        placeholder={kind === 'list' ? 'one entry a line' : '{ }'}
      />
    );
  const bounds = kind === 'number' ? { inputMode: 'decimal' as const, min: minimum, max: maximum } : {};
  return <input {...common} {...bounds} spellcheck={false} placeholder="not set" />;
}
