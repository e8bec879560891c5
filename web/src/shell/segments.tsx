/** One of a few, chosen by a click or with the arrow keys. */
export function Segments<Value extends string>({
  label,
  options,
  chosen,
  onChoose,
}: {
  /** What is chosen, for who hears the page. */
  label: string;
  options: readonly (readonly [value: Value, text: string])[];
  chosen: Value;
  onChoose: (value: Value) => void;
}) {
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {options.map(([value, text]) => (
        <label key={value}>
          <input type="radio" name={label} checked={value === chosen} onChange={() => onChoose(value)} />
          <span>{text}</span>
        </label>
      ))}
    </div>
  );
}
